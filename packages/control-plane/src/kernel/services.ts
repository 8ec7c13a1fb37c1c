import type { LateEntries } from './audit/late-entries.ts'
import type { EngineDescription } from './ports/engines.ts'
import type { Diagnostics } from './ports/diagnostics.ts'
import type { Hardware, HardwareSimulation } from './ports/hardware.ts'
import type { MachineNetworks } from './ports/machine-networks.ts'
import type { Hosts } from './ports/hosts.ts'
import type { Consoles } from './ports/consoles.ts'
import type { Displays } from './ports/displays.ts'
import type { Machines } from './ports/machines.ts'
import type { Volumes } from './ports/volumes.ts'
import type { TimeSeriesStore } from './ports/time-series.ts'
import type { Oidc } from './ports/oidc.ts'
import type { Saml } from './ports/saml.ts'
import type { Updates } from './ports/updates.ts'
import type { Uplinks } from './ports/uplinks.ts'
import type { Mail } from './ports/mail.ts'
import type { DataDisk } from './ports/reserve.ts'
import type { Webhooks } from './ports/webhooks.ts'
import type { ImageSources } from './ports/image-sources.ts'
import type { Instrumentation } from './instrumentation.ts'
import type { Native } from './ports/native.ts'
import type { OpenDatabase } from './db/database.ts'
import type { ImportGate } from './import-gate.ts'
import type { EventFeed } from './events/feed.ts'
import type { Reconciler } from './reconciler/reconciler.ts'
import type { Outages } from './outages.ts'
import type { Settings } from './settings.ts'

/**
 * The parts of a control plane, shared by all calls. Resources add theirs by declaration merging.
 */
export interface ControlPlaneServices {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  hardware: Hardware
  /** Undefined where the hardware is real. */
  simulation: HardwareSimulation | undefined
  volumes: Volumes
  consoles: Consoles
  engine: EngineDescription
  /** Undefined with an engine that does not wait for guests. */
  patience: Machines['patience']
  /** Undefined with an engine that lacks them, as `engine` says; see `enginePart`. */
  uplinks: Uplinks | undefined
  updates: Updates | undefined
  displays: Displays | undefined
  /** Undefined with an engine that has none. */
  hosts: Hosts | undefined
  /** Undefined with an engine to which no networks are applied. */
  networking: MachineNetworks | undefined
  /** Undefined at a host that keeps no time series. */
  timeSeries: TimeSeriesStore | undefined
  reconciler: Reconciler
  feed: EventFeed
  imports: ImportGate
  native: Native
  /** Undefined at a host that has none. */
  saml: Saml | undefined
  /** Undefined at a host that has none. */
  oidc: Oidc | undefined
  /** Undefined at a host that has none. */
  webhooks: Webhooks | undefined
  /** Undefined at a host that has none. */
  imageSources: ImageSources | undefined
  /** Undefined at a host that sends no mail. */
  mail: Mail | undefined
  /** Undefined at a host without a disk for data. */
  dataDisk: DataDisk | undefined
  /** Undefined at a host that has none. */
  diagnostics: Diagnostics | undefined
  outages: Outages
  lateEntries: LateEntries
  measures: Instrumentation
}

import type { LateEntries } from './audit/late-entries.ts'
import type { EngineDescription, Engines } from './ports/engines.ts'
import type { HostParts } from './ports/host-parts.ts'
import type { Native } from './ports/native.ts'
import type { Machines } from './ports/machines.ts'
import type { Instrumentation } from './instrumentation.ts'
import type { OpenDatabase } from './db/database.ts'
import type { ImportLock } from './import-lock.ts'
import type { EventFeed } from './events/feed.ts'
import type { Reconciler } from './reconciler/reconciler.ts'
import type { Outages } from './outages.ts'
import type { Settings } from './settings.ts'
import type { TaskStatus } from './task.ts'

/**
 * Parts of the engine that handlers use. Some engines lack some of them: `enginePart` returns such a
 * part, or refuses the call.
 */
type SharedEngines = Pick<
  Engines,
  | 'hardware'
  | 'simulation'
  | 'volumes'
  | 'consoles'
  | 'uplinks'
  | 'updates'
  | 'displays'
  | 'hosts'
  | 'enrolment'
  | 'storagePools'
  | 'fencing'
  | 'networking'
  | 'vpcNetworks'
  | 'timeSeries'
>

/**
 * The parts of a control plane, shared by all calls. Resources add theirs by declaration merging.
 */
export interface ControlPlaneServices extends HostParts, SharedEngines {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  engine: EngineDescription
  /** Undefined with an engine that does not wait for guests. */
  patience: Machines['patience']
  native: Native
  reconciler: Reconciler
  feed: EventFeed
  imports: ImportLock
  outages: Outages
  /**
   * Frees bytes of deleted resources that could still be restored.
   * @returns whether there were any
   */
  makeRoom: () => Promise<boolean>
  lateEntries: LateEntries
  measures: Instrumentation
  /** The present state of each background task of this server. */
  tasks: () => TaskStatus[]
}

import type { EnginePart as OptionalPart } from '@steading/api/rules'
import type { Db, Migrations, OpenDatabase } from '../db/database.ts'
import type { Log } from '../settings.ts'
import type { Consoles } from './consoles.ts'
import type { Displays } from './displays.ts'
import type { Fencing } from './fencing.ts'
import type { HostEnrolment } from './host-enrolment.ts'
import type { Hosts } from './hosts.ts'
import type { ReadInventory } from './inventory.ts'
import type { Measurements } from './measurements.ts'
import type { Hardware, HardwareSimulation } from './hardware.ts'
import type { MachineNetworks } from './machine-networks.ts'
import type { Machines } from './machines.ts'
import type { Multicast } from './multicast.ts'
import type { Networks } from './networks.ts'
import type { TimeSeriesStore } from './time-series.ts'
import type { Updates } from './updates.ts'
import type { Uplinks } from './uplinks.ts'
import type { PowerShelf } from './power-shelf.ts'
import type { StoragePools } from './storage-pools.ts'
import type { Volumes } from './volumes.ts'
import type { VpcNetworks } from './vpc-networks.ts'

/** The implementations behind the ports. */
export interface Engines {
  hardware: Hardware
  /** Only engines whose hardware is simulated have it. */
  simulation?: HardwareSimulation
  machines: Machines
  volumes: Volumes
  consoles: Consoles
  /** Missing where machines have no screen. */
  displays?: Displays
  /** Missing without switches of the engine's own. */
  uplinks?: Uplinks
  /** Missing where the software of the hardware is not the control plane's business. */
  updates?: Updates
  /** Missing where machines ask for their networks (`Networks`) as packets come. */
  networking?: MachineNetworks
  /** Missing where no network carries packets between machines. */
  vpcNetworks?: VpcNetworks
  /** Missing where no network carries it. */
  multicast?: Multicast
  /** Missing without a power shelf. */
  power?: PowerShelf
  /** Missing where machines do not run on hosts with an operating system. */
  hosts?: Hosts
  /** Missing where hosts cannot be added. */
  enrolment?: HostEnrolment
  /** Missing where all volumes are in one place. */
  storagePools?: StoragePools
  /** Missing where hosts cannot be switched off. */
  fencing?: Fencing
  /** Without it, nothing that was measured is kept, and queries say so. */
  timeSeries?: TimeSeriesStore
  /** Without it, nothing is measured but the control plane itself. */
  measurements?: Measurements
}

/** Parts of the control plane that an engine uses. */
export interface EngineContext {
  database: OpenDatabase
  clock: () => Date
  log: Log
  networks: Networks
  /** Machines and hardware to measure. */
  inventory: ReadInventory
}

/** The ports that parts of an engine implement. The store of time series is the host's. */
export type EnginePort = Exclude<keyof Engines, 'timeSeries'>

/** The directory of a storage pool as it was found. */
export interface ExaminedPool {
  path: string
  /** Why it cannot be used; a sentence without a full stop, for operators. */
  problem?: string
  /** Bytes; undefined if it cannot be used. */
  free?: number
}

/** A part of an engine: implementations of some ports that belong together. */
export interface EnginePart {
  /** A port of a database belongs to the part with which it was made. */
  name: string
  ports: readonly EnginePort[]
  /**
   * Makes its own tables in the database of the control plane, in the order of names. A database
   * that has had them opens only with this part.
   */
  migrations?: Migrations
  /** Creates the implementations of its ports; nothing runs before they are started. */
  open: (context: EngineContext) => Partial<Engines>
  /** Paths of the files without which bytes of volumes are lost; for a part with volumes. */
  volumeFiles?: (db: Db) => Promise<string[]>
  /** Looks at the directories of storage pools besides the first one, without changing anything. */
  examinePools?: (db: Db) => Promise<ExaminedPool[]>
  /** Begins a backup of them; without it, they are in the database and the block store. */
  backup?: (context: Pick<EngineContext, 'database'>) => EngineBackup
}

/** An engine, as a host composes it of parts and passes it to the control plane. */
export interface Engine<E extends Engines = Engines> {
  parts: readonly EnginePart[]
  /** Opens all parts. */
  open: (context: EngineContext) => E
}

/** An engine cannot start with its settings; its message is for operators. */
export class EngineStartError extends Error {}

/** A backup cannot be made; its message is for operators, and says what they can do. */
export class BackupError extends Error {}

/** A file in a backup. */
export interface BackedUpFile {
  name: string
  /** Bytes. */
  size: number
  /** @throws BackupError */
  read: () => AsyncIterable<Uint8Array>
}

/** A taken file in a storage pool besides the first one. */
export interface PoolFile extends BackedUpFile {
  pool: string
}

/**
 * A backup of the files that an engine keeps itself, from a process of its own: servers and machines
 * run on.
 */
export interface EngineBackup {
  /** The place of the files in the backup, within that of the engine. */
  name: string
  /** The directory with the taken files. */
  directory: string
  /**
   * Prepares for the next `take`.
   * @throws BackupError
   */
  prepare: () => Promise<void>
  /**
   * Takes the files of this moment, in little time, because nobody can write to the database
   * meanwhile. Writes nothing to it either.
   * @returns whether all are taken; if not, more has to be prepared first
   */
  take: () => Promise<boolean>
  /**
   * Waits until the taken files do not change any more. Others may write to the database again.
   * @throws BackupError
   */
  settle: () => Promise<void>
  /**
   * Taken files with their place beside those of the directory.
   * @throws BackupError
   */
  others: () => Promise<PoolFile[]>
  /** Removes the taken files. */
  close: () => Promise<void>
}

/** The engine of a running control plane. */
export interface EngineDescription {
  /** The name of the part that runs machines. */
  name: string
  /** The parts that it lacks, in the order of `engineParts`. */
  lacks: readonly OptionalPart[]
}

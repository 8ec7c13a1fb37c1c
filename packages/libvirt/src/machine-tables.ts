import { type Flag, jsonColumn } from '@steading/control-plane/engine'
import type { Firmware, PauseReason } from '@steading/api/rules'
import type { Accelerator } from './accelerator.ts'
import type {
  HostFacts,
  MachineObservation,
  MachinePhase,
  MachineSpec,
} from '@steading/control-plane/ports'

/** The last action that was asked of a machine. */
export type Wanted = 'run' | 'stop' | 'halt' | 'destroy'

/** A machine. The engine alone writes this table and the following one. */
export interface LibvirtMachineTable {
  id: string
  /** Serial number of the host whose libvirt runs it. */
  host: string
  /** JSON. */
  spec: string
  phase: Exclude<MachinePhase, 'absent'>
  wanted: Wanted
  /** Start of the phase in milliseconds. */
  since: number
  /** When its domain was started, in milliseconds; it is never started twice. */
  started_at: number | null
  /** Number of boots after the first one, including those by the guest itself. */
  boot: number
  /** Bytes of the console log before the present boot. */
  boot_offset: number
  /** The present file of the console log, and the bytes of the log before it. */
  log_file: string | null
  log_start: number
  /** Number of requested reboots that have begun. */
  reboots: number
  failure: string | null
  /** JSON of `Destination`; null while it stays. */
  destination: string | null
  /** JSON of `MoveFailure`: the newest move, if it has failed. */
  move_failure: string | null
  /** Why its domain is paused; null unless it is. */
  pause: PauseReason | null
  /** Firmware of its last start; null before the first. */
  firmware: Firmware | null
  /** Whether no boot loader was found at its last start. */
  nothing_to_boot: Flag
  /** Whether file systems in its guest may be frozen, and are to be thawed. */
  thaw: Flag
  /** The lease that its domain is to run under; null where guests have none. */
  lease: string | null
  /**
   * The version of that lease as its host was seen to take it when the machine started there, or
   * arrived; null if that was not seen.
   */
  lease_version: number | null
  /** Increases with every write; a writer that read an older version is refused. */
  version: number
}

/** A host with a libvirt that a server drives. */
export interface LibvirtHostTable {
  serial: string
  /** Its place in the rack, which it keeps. */
  slot: number
  /** The id under which it was added as a sled. */
  sled_id: string | null
  threads: number
  /** Bytes. */
  ram: number
  model: string
  /** Size of the file system of the data directory in earlier versions; 0 since. */
  disk: number
  /** Address of its libvirt, if an operator has added it; null for the host of a server. */
  address: string | null
  /** How guests run there; null for the host of a server, which finds out in each boot. */
  accelerator: Accelerator | null
  /** When a server last reported it, or last had an answer of it. Milliseconds of the clock of the database. */
  seen: number
  /** JSON of `HostReport`; null until libvirt has answered. */
  report: string | null
}

/** A domain that belongs to no machine. */
export interface LibvirtOrphanedDomainTable {
  host: string
  uuid: string
  name: string
  uri: string
  /** RFC 3339. */
  time_found: string
}

/** The sled to which a machine is moved. */
export interface Destination {
  moveId: string
  sled: MachineSpec['sled']
  /** It is to end where it is. */
  cancelled?: true
  /** The sled is proven to be off, or is gone for good. */
  lost?: true
}

export type MoveFailure = NonNullable<MachineObservation['moveFailure']>

/** The report of a server about its host, for the servers of other hosts. */
export type HostReport = Omit<HostFacts, 'reported'> & { reported: string }

export const hostReport = jsonColumn<HostReport>()
export const libvirtSpec = jsonColumn<MachineSpec>()
export const libvirtDestination = jsonColumn<Destination>()
export const libvirtMoveFailure = jsonColumn<MoveFailure>()

declare module '@steading/control-plane/engine' {
  interface Database {
    libvirt_machine: LibvirtMachineTable
    libvirt_host: LibvirtHostTable
    libvirt_lost_domain: LibvirtOrphanedDomainTable
  }
}

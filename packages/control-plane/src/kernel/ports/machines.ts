/**
 * The port for running virtual machines. The control plane knows engines only through this port and
 * those for volumes and consoles. Every call may be repeated; the repetition has no effect.
 *
 * Actions carry the token of the claim behind them (`fence`); an engine refuses one that is lower
 * than the highest it has seen for the machine (`admit`).
 */
import type { Firmware, PauseReason } from '@steading/api/rules'
import type { VolumeSource } from './volumes.ts'
import type { Attachment } from './vpc-networks.ts'

/** An address of an interface, with the settings that the guest needs for it. */
export interface MachineAddress {
  address: string
  /** Length of the prefix of its subnet. */
  prefixLength: number
  gateway: string
}

/** The specification of a machine. */
export interface MachineSpec {
  /** Name of the instance. */
  name: string
  hostname: string
  ncpus: number
  /** In bytes. */
  memory: number
  sled: { id: string; serial: string }
  /** In the order of their slots. */
  volumes: {
    /** Id in the volume port. */
    id: string
    name: string
    /** In bytes. */
    size: number
    slot: number
    boot: boolean
    readOnly: boolean
    /** It is a CD to the guest; a CD is read-only. */
    cd?: true
    /** Where the hypervisor opens it. */
    source: VolumeSource
  }[]
  interfaces: {
    name: string
    mac: string
    primary: boolean
    addresses: MachineAddress[]
    /** Undefined where the engine of machines makes their network itself. */
    attachment?: Attachment
  }[]
  /** Bytes of the largest packet that the guest sends; the usual ones without it. */
  mtu?: number
  /** Base64, as the client sent it. */
  userData: string
  sshPublicKeys: string[]
}

export type MachinePhase =
  | 'absent'
  | 'booting'
  | 'running'
  | 'rebooting'
  | 'stopping'
  | 'stopped'
  | 'failed'

export interface MachineObservation {
  phase: MachinePhase
  /** Reboots that were requested and have been carried out or begun. */
  reboots: number
  /** The reason of a failure, if the engine knows it; a sentence without a full stop. */
  failure?: string
  /** Why the hypervisor has paused it; it counts as running. */
  pause?: PauseReason
  /** Firmware of its last start; undefined with engines that have none. */
  firmware?: Firmware
  /** Its last start found nothing to boot from. */
  nothingToBoot?: true
  /** Its sled does not respond. */
  sledDown?: true
  /** The sled it runs on; undefined for a machine that is absent or at rest. */
  sledId?: string
  /**
   * The progress of a move, if the engine knows it; bytes, and bytes per second. The sent bytes
   * (`processed`) and the remaining ones may be fewer than the total: empty memory is not sent.
   */
  move?: { total: number; processed: number; remaining: number; rate: number }
  /** The newest move, if it has failed: its id, and why, as a sentence without a full stop. */
  moveFailure?: { moveId: string; reason: string }
  /** When the state or the sled will change next, if the engine knows. */
  changesAt?: Date
  /** When the engine was asked to boot it; only while it boots. */
  bootingSince?: Date
}

export interface Machines {
  /**
   * Creates a machine and boots it, unless one with this id exists. A machine that has stopped or
   * failed is not run again: its instance gets another machine. The old one is destroyed only then,
   * because until then its serial console can be read.
   */
  run: (machineId: string, spec: MachineSpec, fence: number) => Promise<void>
  /** Begins shutting a machine down, if it is up. */
  stop: (machineId: string, fence: number) => Promise<void>
  /** Ends a machine at once, unless it is at rest; it has then failed. */
  halt: (machineId: string, fence: number) => Promise<void>
  /**
   * Reboots a machine that is up until `count` reboots have been requested since it was run.
   * Reboots that the guest begins by itself do not count.
   */
  reboot: (machineId: string, count: number, fence: number) => Promise<void>
  /**
   * Begins to move a running machine to another sled; it keeps running, and its guest notices
   * nothing. Does nothing for a machine that does not run or is already there, and for a move that
   * has failed; another one has another id. A move fails if the machine stops running, or if the
   * other sled goes down. Missing where machines cannot move.
   */
  migrate?: (
    machineId: string,
    sled: MachineSpec['sled'],
    fence: number,
    moveId: string,
  ) => Promise<void>
  /**
   * Begins to cancel a move, which then has failed, unless the machine has arrived. A move that was
   * not begun never begins. Missing where machines cannot move.
   * @param isLost whether nothing runs on the other sled any more, because it was expunged or its
   *   host is proven to be off. A machine that may have run there fails then.
   */
  cancelMove?: (machineId: string, moveId: string, fence: number, isLost?: boolean) => Promise<void>
  /**
   * Tells the guest of a machine that one of its volumes has become larger; does nothing if there is
   * no such machine, or if it knows. Missing where growing the volume tells the guest.
   * @param volume its id and its size in bytes
   */
  grow?: (machineId: string, volume: { id: string; size: number }) => Promise<void>
  /**
   * Removes a machine and everything that the engine stores about it.
   * @param fence undefined for a machine without an instance
   */
  destroy: (machineId: string, fence: number | undefined) => Promise<void>
  /**
   * How long a stop and a reboot wait for the guest to shut down, before the machine is ended or
   * reset; milliseconds. Undefined where nothing waits for guests.
   */
  patience?: { stopMs: number; rebootMs: number }
  observe: (machineId: string) => Promise<MachineObservation>
  /** Ids of all machines of the engine, to find machines without an instance. */
  list: () => Promise<string[]>
  /**
   * Calls back when a machine changed by itself. A wake-up may be lost, so the caller also polls.
   */
  subscribe: (changed: (machineId: string) => void) => void
  start: () => Promise<void>
  close: () => Promise<void>
}

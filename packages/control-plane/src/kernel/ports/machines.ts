/**
 * The port for running virtual machines. The control plane knows engines only through this port and
 * those for volumes and consoles. Every call may be repeated; the repetition has no effect.
 */

/** An address of an interface, with the settings that the guest needs for it. */
export interface MachineAddress {
  address: string
  /** Length of the prefix of its subnet. */
  prefixLength: number
  gateway: string
}

/** Everything a machine is made of. */
export interface MachineSpec {
  /** Name of the instance. */
  name: string
  hostname: string
  ncpus: number
  /** Bytes. */
  memory: number
  sled: { id: string; serial: string }
  /** In the order of their slots. */
  volumes: {
    /** Id in the volume port. */
    id: string
    name: string
    /** Bytes. */
    size: number
    slot: number
    boot: boolean
    readOnly: boolean
  }[]
  interfaces: { name: string; mac: string; primary: boolean; addresses: MachineAddress[] }[]
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
  /** Reboots that were asked for and are carried out or begun. */
  reboots: number
  /** Why it has failed, if it has and the engine can tell; a sentence without a full stop. */
  failure?: string
  /** The sled that it was on does not respond. */
  sledDown?: true
  /** The sled that it runs on; undefined for one that is absent or at rest. */
  sledId?: string
  /** When the state or the sled will change next, if the engine can tell. */
  changesAt?: Date
}

export interface Machines {
  /**
   * Makes a machine and boots it, unless there is one with this id. A machine that has stopped or
   * failed is not run again: its instance gets another machine. It is destroyed then, because until
   * then its serial console can be read.
   */
  run: (machineId: string, spec: MachineSpec) => Promise<void>
  /** Begins shutting a machine down, if it is up. */
  stop: (machineId: string) => Promise<void>
  /** Ends a machine at once, if it is not at rest: it has failed then. */
  halt: (machineId: string) => Promise<void>
  /**
   * Reboots a machine that is up until `count` reboots have been asked for since it was run. Reboots
   * that the guest begins by itself do not count.
   */
  reboot: (machineId: string, count: number) => Promise<void>
  /**
   * Begins to move a running machine to another sled; it runs on meanwhile, and its guest notices
   * nothing. Does nothing for a machine that does not run or is there already. A move ends without
   * effect if the machine stops running, or if the other sled goes down.
   */
  migrate: (machineId: string, sled: MachineSpec['sled']) => Promise<void>
  /** Removes a machine and everything that the engine stores about it. */
  destroy: (machineId: string) => Promise<void>
  observe: (machineId: string) => Promise<MachineObservation>
  /** Ids of all machines of the engine, to find those that belong to no instance. */
  list: () => Promise<string[]>
  /**
   * Calls back when a machine changed by itself. A notice may be lost, so the caller also polls.
   */
  subscribe: (changed: (machineId: string) => void) => void
  start: () => Promise<void>
  close: () => Promise<void>
}

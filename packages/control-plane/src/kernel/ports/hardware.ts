/**
 * The port for the hardware: the contents of the racks, as an engine sees them. The use that the
 * control plane makes of them (which sleds and disks, and for what) is in its own rows.
 */
import type { CpuPlatform, PhysicalDiskKind, SwitchSlot } from '@steading/api/rules'

/** Identifies a sled or a switch. */
export interface BaseboardId {
  part: string
  serial: string
}

export interface SeenDisk {
  vendor: string
  model: string
  serial: string
  formFactor: PhysicalDiskKind
  slot: number
  /** In bytes. */
  size: number
  healthy: boolean
}

export interface SeenSled extends BaseboardId {
  revision: number
  /** Its position in the rack. */
  cubby: number
  /** Threads that its instances may have in total: more than it has, if the engine overcommits. */
  usableThreads: number
  /** Memory that its instances may have in total. In bytes. */
  usableRam: number
  cpuPlatform: CpuPlatform
  /** Whether it responds; a sled that does not runs nothing. */
  responding: boolean
  /** The id under which it was added; undefined for a sled that was not. */
  id: string | undefined
  disks: SeenDisk[]
}

export interface SeenSwitch extends BaseboardId {
  revision: number
  slot: SwitchSlot
}

export interface SeenRack {
  sleds: SeenSled[]
  switches: SeenSwitch[]
}

export interface Hardware {
  /**
   * Everything that is in the rack at present, including hardware the control plane does not use.
   */
  inventory: () => Promise<SeenRack>
  /**
   * Adds a sled under an id; it then counts as a member, and machines can run on it. It takes a
   * moment, and never happens for a sled that does not respond.
   */
  adopt: (sled: BaseboardId, id: string) => Promise<void>
  /** Removes a sled that was added, or is about to be. */
  release: (sled: BaseboardId) => Promise<void>
  /** Replicas that the engine keeps of the bytes of each distributed disk. */
  replicas: number
  /** The time it takes to copy this many bytes from the other replicas of a disk; milliseconds. */
  copyMs: (bytes: number) => number
  /** Calls back when the hardware has changed. A wake-up may be lost, so the caller also polls. */
  subscribe: (changed: () => void) => void
}

/** In percent of what the machine could do. */
export interface Load {
  cpu: number
  disk: number
  network: number
}

/** A load with its start and, if known, its end; milliseconds. */
export interface CurrentLoad extends Load {
  from: number
  to: number | undefined
}

/** Controls of simulated hardware: failures on demand, and additions. */
export interface HardwareSimulation {
  /** @returns whether the sled exists */
  setPower: (sledSerial: string, on: boolean) => Promise<boolean>
  /**
   * Cuts a sled off from the network, or connects it again. Its machines run on meanwhile.
   * @returns whether the sled exists
   */
  setLink: (sledSerial: string, up: boolean) => Promise<boolean>
  /** @returns whether the disk exists */
  setHealth: (diskSerial: string, healthy: boolean) => Promise<boolean>
  /**
   * Acts as support: reinstalls the software that a sled came with.
   * @returns whether the sled exists
   */
  recover: (sledSerial: string) => Promise<boolean>
  /** Inserts another sled into the rack; undefined if it is full. */
  insertSled: () => Promise<BaseboardId | undefined>
  /** Replaces a disk with a new one in the same slot; undefined if the disk does not exist. */
  replaceDisk: (
    diskSerial: string,
  ) => Promise<Pick<SeenDisk, 'vendor' | 'model' | 'serial'> | undefined>
  /** The slots of the power shelf, with or without a unit. */
  powerSupplies: () => Promise<{ slot: number; present: boolean }[]>
  /** @returns whether the slot exists */
  setPowerSupply: (slot: number, present: boolean) => Promise<boolean>
  /** Silent routers, and ports without their cable. */
  uplinksDown: () => Promise<{ slot: SwitchSlot; end: string }[]>
  /** @param end the address of a router, or the name of a port */
  setUplink: (slot: SwitchSlot, end: string, up: boolean) => Promise<void>
  /**
   * Puts a load on a machine, until it stops or gets another load.
   * @param duration milliseconds after which the load ends by itself
   */
  setLoad: (machineId: string, load: Load, duration?: number) => Promise<void>
  /** The load that was put on a machine. */
  load: (machineId: string) => Promise<CurrentLoad | undefined>
}

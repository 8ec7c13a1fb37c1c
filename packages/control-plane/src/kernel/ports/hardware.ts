/**
 * The port for the hardware: what is in the racks, as an engine sees it. What the control plane
 * makes of that (which sleds and disks it uses, and for what) is in its own rows.
 */
import type { CpuPlatform, PhysicalDiskKind, SwitchSlot } from '@steading/api/rules'

/** What tells a sled or a switch from all others. */
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
  /** Bytes. */
  size: number
  healthy: boolean
}

export interface SeenSled extends BaseboardId {
  revision: number
  /** Where it is in the rack. */
  cubby: number
  hardwareThreads: number
  /** Bytes. */
  physicalRam: number
  cpuPlatform: CpuPlatform
  /** Whether it answers; one that does not runs nothing. */
  responding: boolean
  /** The id under which it was taken in; undefined for a sled that was not. */
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
  /** Everything that is in the rack at present, also what the control plane does not use. */
  inventory: () => Promise<SeenRack>
  /**
   * Takes a sled in under an id; it then counts as a member, and machines can run on it. It takes a
   * moment, and never happens for a sled that does not respond.
   */
  takeIn: (sled: BaseboardId, id: string) => Promise<void>
  /** Lets go of a sled that was taken in, or is about to be. */
  release: (sled: BaseboardId) => Promise<void>
  /** How long it takes to copy so many bytes from the other replicas of a disk; milliseconds. */
  copyMs: (bytes: number) => number
  /** Calls back when the hardware has changed. A notice may be lost, so the caller also polls. */
  subscribe: (changed: () => void) => void
}

/** Percent of what a machine could do. */
export interface Load {
  cpu: number
  disk: number
  network: number
}

/** A load with the times from which and, if that is known, until which it lasts; milliseconds. */
export interface CurrentLoad extends Load {
  from: number
  to: number | undefined
}

/** What only simulated hardware can do: fail on demand, and be added to. */
export interface HardwareSimulation {
  /** @returns whether there is such a sled */
  setPower: (sledSerial: string, on: boolean) => Promise<boolean>
  /** @returns whether there is such a disk */
  setHealth: (diskSerial: string, healthy: boolean) => Promise<boolean>
  /** Does what support does: puts the software on a sled that came with it. @returns whether there is such a sled */
  recover: (sledSerial: string) => Promise<boolean>
  /** Puts another sled into the rack; undefined if it is full. */
  insertSled: () => Promise<BaseboardId | undefined>
  /** Puts a new disk into the slot of another; undefined if there is no such disk. */
  replaceDisk: (
    diskSerial: string,
  ) => Promise<Pick<SeenDisk, 'vendor' | 'model' | 'serial'> | undefined>
  /** The slots of the power shelf, with or without a unit. */
  powerSupplies: () => Promise<{ slot: number; present: boolean }[]>
  /** @returns whether there is such a slot */
  setPowerSupply: (slot: number, present: boolean) => Promise<boolean>
  /** Routers that are silent, and ports without their cable. */
  uplinksDown: () => Promise<{ slot: SwitchSlot; end: string }[]>
  /** @param end the address of a router, or the name of a port */
  setUplink: (slot: SwitchSlot, end: string, up: boolean) => Promise<void>
  /**
   * Has a machine work on purpose, until it stops or is told otherwise.
   * @param duration milliseconds after which it ends by itself
   */
  setLoad: (machineId: string, load: Load, duration?: number) => Promise<void>
  /** The work that a machine does on purpose now. */
  load: (machineId: string) => Promise<CurrentLoad | undefined>
}

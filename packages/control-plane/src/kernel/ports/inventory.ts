/**
 * The port by which engines learn what there is to measure, and what it is called: to whom a machine
 * belongs is the control plane's to know, what it does is the engine's.
 */
import type { SwitchSlot } from '@steading/api/rules'
import type { ConfiguredBfd, ConfiguredLink, ConfiguredPeer } from './uplinks.ts'

interface Owned {
  id: string
  projectId: string
  siloId: string
}

/** An instance that has a machine. */
export interface MeasuredInstance extends Owned {
  machineId: string
  sledId: string
  ncpus: number
}

/** A disk that is attached to such an instance. */
export interface MeasuredDisk extends Owned {
  instanceId: string
  blockSize: number
}

/** A network interface of such an instance. */
export interface MeasuredInterface extends Owned {
  instanceId: string
}

interface Baseboard {
  id: string
  rackId: string
  /** Part number. */
  model: string
  revision: number
  serial: string
}

export interface MeasuredSled extends Baseboard {
  slot: number
  threads: number
  /** When it was taken into service; milliseconds. */
  since: number
}

export interface MeasuredSwitch extends Baseboard {
  slot: SwitchSlot
  since: number
}

/** A physical disk, which holds one pool. */
export interface MeasuredPool {
  id: string
  sledId: string
  /** Serial number of the disk. */
  serial: string
  /** Whether it holds disks of instances. */
  external: boolean
  /** Bytes. */
  size: number
  used: number
}

export interface Inventory {
  instances: MeasuredInstance[]
  disks: MeasuredDisk[]
  interfaces: MeasuredInterface[]
  /** Those that respond. */
  sleds: MeasuredSled[]
  switches: MeasuredSwitch[]
  pools: MeasuredPool[]
  links: ConfiguredLink[]
  peers: ConfiguredPeer[]
  bfd: ConfiguredBfd[]
}

export type ReadInventory = () => Promise<Inventory>

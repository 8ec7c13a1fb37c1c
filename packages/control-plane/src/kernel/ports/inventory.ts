/**
 * The port by which engines learn which things to measure, and their names: the control plane knows
 * who owns a machine, the engine knows what it does.
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
  /** When it was put into service; milliseconds. */
  since: number
}

export interface MeasuredSwitch extends Baseboard {
  slot: SwitchSlot
  since: number
}

/** A physical disk, which holds one pool. Pools in file systems are measured without the engine. */
export interface MeasuredPool {
  id: string
  sledId: string
  /** Serial number of the disk. */
  serial: string
  /** Whether it holds disks of instances. */
  external: boolean
  /** In bytes. */
  size: number
  used: number
}

export interface Inventory {
  instances: MeasuredInstance[]
  disks: MeasuredDisk[]
  interfaces: MeasuredInterface[]
  /** The responding ones. */
  sleds: MeasuredSled[]
  switches: MeasuredSwitch[]
  pools: MeasuredPool[]
  links: ConfiguredLink[]
  peers: ConfiguredPeer[]
  bfd: ConfiguredBfd[]
}

export type ReadInventory = () => Promise<Inventory>

import type { Generated } from 'kysely'
import type { ComponentKind, CpuPlatform, PhysicalDiskKind, SwitchSlot } from '@steading/api/rules'
import type { Flag } from '@steading/control-plane/engine'

/** A simulated sled. The simulator alone writes this table and the following ones. */
export interface SimulatedSledTable {
  serial: string
  part: string
  revision: number
  cubby: number
  threads: number
  ram: number
  cpu_platform: CpuPlatform
  down: Flag
  /** Nobody reaches it, and its machines run on. */
  cut: Generated<Flag>
  /** Support has reset it to its factory software. */
  recovered: Generated<Flag>
  /** Id in the control plane, once added. */
  sled_id: string | null
}

export interface SimulatedDiskTable {
  serial: string
  sled_serial: string
  vendor: string
  model: string
  form_factor: PhysicalDiskKind
  slot: number
  size: number
  failed: Flag
}

/** Software of a component of a sled or a switch; without a row, the factory software. */
export interface SimulatedComponentTable {
  /** Serial number of the sled or switch. */
  serial: string
  kind: ComponentKind
  /** SHA-256 of the artifact; null for factory software. */
  artifact: string | null
  /** Artifact being installed, and its completion in milliseconds. */
  next: string | null
  ready_at: number | null
}

export interface SimulatedSwitchTable {
  serial: string
  part: string
  revision: number
  slot: SwitchSlot
}

/** A host that was enrolled. */
export interface SimulatedHostTable {
  serial: string
  /** It keeps its slot, also when it is forgotten. */
  cubby: number
  /** Null once it is forgotten. */
  address: string | null
}

declare module '@steading/control-plane/engine' {
  interface Database {
    simulated_sled: SimulatedSledTable
    simulated_disk: SimulatedDiskTable
    simulated_switch: SimulatedSwitchTable
    simulated_host: SimulatedHostTable
    simulated_component: SimulatedComponentTable
  }
}

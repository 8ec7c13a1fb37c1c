import type { Generated } from 'kysely'
import type { ComponentKind, CpuPlatform, PhysicalDiskKind, SwitchSlot } from '@steading/api/rules'
import type { Flag } from '@steading/control-plane/engine'

/** A simulated sled; only the simulator writes this table and the next ones. */
export interface SimulatedSledTable {
  serial: string
  part: string
  revision: number
  cubby: number
  threads: number
  ram: number
  cpu_platform: CpuPlatform
  down: Flag
  /** Support has put the software on it that came with it. */
  recovered: Generated<Flag>
  /** The id under which the control plane has taken it in. */
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

/** What runs on a component of a sled or a switch; without a row, what came with it. */
export interface SimulatedComponentTable {
  /** Of the sled or switch. */
  serial: string
  kind: ComponentKind
  /** SHA-256 of the artifact; null for what came with it. */
  artifact: string | null
  /** What is being installed, and when it is done; milliseconds. */
  next: string | null
  ready_at: number | null
}

export interface SimulatedSwitchTable {
  serial: string
  part: string
  revision: number
  slot: SwitchSlot
}

declare module '@steading/control-plane/engine' {
  interface Database {
    simulated_sled: SimulatedSledTable
    simulated_disk: SimulatedDiskTable
    simulated_switch: SimulatedSwitchTable
    simulated_component: SimulatedComponentTable
  }
}

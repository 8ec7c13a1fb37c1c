import type { CpuPlatform, PhysicalDiskKind, SwitchSlot } from '@steading/api/rules'
import type { Flag } from '../../kernel/db/schema.ts'

/** A simulated sled; only `engines/simulated` writes this table and the next ones. */
export interface SimulatedSledTable {
  serial: string
  part: string
  revision: number
  cubby: number
  threads: number
  ram: number
  cpu_platform: CpuPlatform
  down: Flag
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

export interface SimulatedSwitchTable {
  serial: string
  part: string
  revision: number
  slot: SwitchSlot
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    simulated_sled: SimulatedSledTable
    simulated_disk: SimulatedDiskTable
    simulated_switch: SimulatedSwitchTable
  }
}

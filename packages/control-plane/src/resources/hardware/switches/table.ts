import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { SwitchSlot } from '@steading/api/rules'

export interface RackSwitchTable {
  id: string
  fleet_id: string
  rack_id: string
  slot: SwitchSlot
  /** Its serial number. */
  name: string
  part: string
  revision: number
  time_created: string
  time_modified: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    rack_switch: RackSwitchTable
  }
}

export const rackSwitchTables: StoredTables = {
  rack_switch: { within: { rack_id: 'rack' } },
}

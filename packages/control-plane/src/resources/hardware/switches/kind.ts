import type { SwitchSlot } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'

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

export const rack_switch: StoredKind<'rack_switch'> = {
  tables: {
    rack_switch: { within: { rack_id: 'rack' } },
  },
  live: '1 = 1',
}

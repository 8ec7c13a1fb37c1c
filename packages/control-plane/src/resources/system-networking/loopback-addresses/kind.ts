import type { SwitchSlot } from '@steading/api/rules'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

export interface LoopbackAddressTable {
  id: string
  /** All addresses are in one list, the fleet's. */
  fleet_id: string
  rack_id: string
  switch_slot: SwitchSlot
  /** With the prefix length, in canonical text. */
  address: string
  address_lot_block_id: string
  anycast: Flag
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    loopback_address: LoopbackAddressTable
  }
}

export const loopback_address: StoredKind<'loopback_address'> = {
  tables: {
    loopback_address: {
      within: { rack_id: 'rack', address_lot_block_id: 'address_lot_block' },
    },
  },
  live: '1 = 1',
}

import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { LoopbackAddressTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    loopback_address: LoopbackAddressTable
  }
}

storeTable('loopback_address', {
  within: { rack_id: 'rack', address_lot_block_id: 'address_lot_block' },
})

storeKind('loopback_address', { table: 'loopback_address', live: '1 = 1' })

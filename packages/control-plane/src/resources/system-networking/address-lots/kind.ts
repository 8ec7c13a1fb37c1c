import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import type { AddressLotTable } from './table.ts'
import { summaries } from './summaries.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    address_lot: AddressLotTable
  }
}

storeTable('address_lot', {
  marked: true,
  names: { address_lot_name: kinds.address_lot.type },
})

storeTable('address_lot_block', { within: { address_lot_id: 'address_lot' } })

storeTable('reserved_address', { within: { address_lot_block_id: 'address_lot_block' } })

storeKind('address_lot', {
  table: 'address_lot',
  live: 'time_deleted is null',
  search: searchOf('networking_address_lot_search', {
    searched: described,
    sorts: usualSorts,
    filters: { kind: oneOf('kind') },
    views: (rows: Row<'address_lot'>[], { db }) => summaries(db, rows),
  }),
})

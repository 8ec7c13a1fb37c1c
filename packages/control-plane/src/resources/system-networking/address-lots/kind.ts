import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { summaries } from './summaries.ts'
import { addressLotTables } from './table.ts'

export const address_lot: StoredKind<'address_lot'> = {
  tables: addressLotTables,
  live: 'time_deleted is null',
  search: searchOf('networking_address_lot_search', {
    searched: described,
    sorts: usualSorts,
    filters: { kind: oneOf('kind') },
    toWire: (rows: Row<'address_lot'>[], { db }) => summaries(db, rows),
  }),
}

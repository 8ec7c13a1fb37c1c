import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { toWireSilo } from './wire.ts'
import { siloTables } from './table.ts'

export const silo: StoredKind<'silo'> = {
  tables: siloTables,
  live: 'time_deleted is null',
  parentColumn: 'listed_in',
  search: searchOf('silo_search', {
    searched: described,
    sorts: usualSorts,
    filters: { identity_mode: oneOf('identity_mode') },
    toWire: each(toWireSilo),
  }),
}

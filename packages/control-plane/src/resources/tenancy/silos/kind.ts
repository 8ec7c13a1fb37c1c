import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import type { SiloTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { viewSilo } from './view.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    silo: SiloTable
  }
}

storeTable('silo', {
  marked: true,
  names: { silo_name: kinds.silo.type },
})

storeKind('silo', {
  table: 'silo',
  live: 'time_deleted is null',
  parentColumn: 'listed_in',
  search: searchOf('silo_search', {
    searched: described,
    sorts: usualSorts,
    filters: { identity_mode: oneOf('identity_mode') },
    views: each(viewSilo),
  }),
})

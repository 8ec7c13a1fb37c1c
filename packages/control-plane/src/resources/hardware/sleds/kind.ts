import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { number, searchOf, text } from '../../../kernel/search/search.ts'
import { toWireSledDetails } from './wire.ts'
import { sledTables } from './table.ts'

export const sled: StoredKind<'sled'> = {
  tables: sledTables,
  live: '1 = 1',
  search: searchOf('sled_search', {
    searched: ['name', 'part'],
    sorts: {
      name: text('name'),
      natural_name: text('name_key'),
      slot: number('slot'),
      part: text('part'),
      state: text('state'),
      usable_hardware_threads: number('usable_hardware_threads'),
      used_hardware_threads: number('used_threads'),
      usable_physical_ram: number('usable_physical_ram'),
      used_physical_ram: number('used_ram'),
      time_created: text('time_created'),
    },
    filters: {
      policy: oneOf('policy'),
      provision_policy: oneOf('provision_policy'),
      state: oneOf('state'),
    },
    toWire: (rows: Row<'sled'>[], { db }) => toWireSledDetails(db, rows),
  }),
}

import { storeTable } from '../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../kernel/kinds.ts'
import { oneOf } from '../../kernel/search/filters.ts'
import { number, searchOf, text } from '../../kernel/search/search.ts'
import type { PhysicalDiskTable } from './table.ts'
import { viewPhysicalDiskDetails } from './view.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    physical_disk: PhysicalDiskTable
  }
}

storeTable('physical_disk', { within: { sled_id: 'sled' } })

storeKind('physical_disk', {
  table: 'physical_disk',
  live: '1 = 1',
  search: searchOf('physical_disk_search', {
    searched: ['name', 'model', 'vendor'],
    sorts: {
      serial: text('name_key'),
      model: text('model'),
      vendor: text('vendor'),
      form_factor: text('form_factor'),
      slot: number('slot'),
      state: text('state'),
      size: number('size'),
      used: number('used'),
      time_created: text('time_created'),
    },
    filters: {
      form_factor: oneOf('form_factor'),
      policy: oneOf('policy'),
      state: oneOf('state'),
      sled: oneOf('sled_id'),
    },
    views: (rows: Row<'physical_disk'>[], { db }) => viewPhysicalDiskDetails(db, rows),
  }),
})

import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { number, searchOf, text } from '../../../kernel/search/search.ts'
import './replica-table.ts'
import type { DiskAdoptionRequestTable, PhysicalDiskTable } from './table.ts'
import { viewPhysicalDiskDetails } from './view.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    physical_disk: PhysicalDiskTable
    disk_adoption_request: DiskAdoptionRequestTable
  }
}

storeTable('physical_disk', {
  within: { sled_id: 'sled' },
  names: { physical_disk_identity: kinds.physical_disk.type },
})
storeTable('disk_replica', {
  within: { physical_disk_id: 'physical_disk' },
  origins: { disk_id: 'disk' },
})
storeTable('disk_adoption_request', {})

storeKind('disk_adoption_request', { table: 'disk_adoption_request', live: '1 = 1' })

storeKind('physical_disk', {
  table: 'physical_disk',
  live: '1 = 1',
  search: searchOf('physical_disk_search', {
    searched: ['name', 'model', 'vendor'],
    sorts: {
      name: text('name'),
      natural_name: text('name_key'),
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

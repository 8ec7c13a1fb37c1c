import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { number, searchOf, text } from '../../../kernel/search/search.ts'
import './replica-table.ts'
import { toWirePhysicalDiskDetails } from './wire.ts'
import { physicalDiskTables } from './table.ts'

export const disk_adoption_request: StoredKind<'disk_adoption_request'> = {
  tables: physicalDiskTables,
  live: '1 = 1',
}

export const physical_disk: StoredKind<'physical_disk'> = {
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
    toWire: (rows: Row<'physical_disk'>[], { db }) => toWirePhysicalDiskDetails(db, rows),
  }),
}

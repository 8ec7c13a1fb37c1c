import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { age, oneOf } from '../../../kernel/search/filters.ts'
import { searchOf, text } from '../../../kernel/search/search.ts'
import { countDeliveries } from './deliveries.ts'
import type { AlertDeliveryTable, AlertTable } from './table.ts'
import { viewAlert } from './view.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    alert: AlertTable
    alert_delivery: AlertDeliveryTable
  }
}

storeTable('alert', {})

storeTable('alert_delivery', { partOf: { receiver_id: 'alert_receiver' } })

storeKind('alert', {
  table: 'alert',
  live: '1 = 1',
  search: searchOf('alert_search', {
    searched: ['name', 'words'],
    sorts: { class: text('name'), time_created: text('time_created') },
    filters: { class: oneOf('name'), age: age('time_created') },
    async views(rows: Row<'alert'>[], { db }) {
      const counts = await countDeliveries(
        db,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => ({ ...viewAlert(row), deliveries: counts.get(row.id)! }))
    },
  }),
})

storeKind('alert_delivery', {
  table: 'alert_delivery',
  live: '1 = 1',
  parentColumn: 'receiver_id',
})

import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { age, oneOf } from '../../../kernel/search/filters.ts'
import { searchOf, text } from '../../../kernel/search/search.ts'
import { countDeliveries } from './deliveries.ts'
import { toWireAlert } from './wire.ts'
import { alertDeliveryTables } from './table.ts'

export const alert: StoredKind<'alert'> = {
  tables: alertDeliveryTables,
  live: '1 = 1',
  search: searchOf('alert_search', {
    searched: ['name', 'words'],
    sorts: { class: text('name'), time_created: text('time_created') },
    filters: { class: oneOf('name'), age: age('time_created') },
    async toWire(rows: Row<'alert'>[], { db }) {
      const counts = await countDeliveries(
        db,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => ({ ...toWireAlert(row), deliveries: counts.get(row.id)! }))
    },
  }),
}

export const alert_delivery: StoredKind<'alert_delivery'> = {
  live: '1 = 1',
  parentColumn: 'receiver_id',
}

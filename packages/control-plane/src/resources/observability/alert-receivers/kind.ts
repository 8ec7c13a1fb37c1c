import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteReceiver } from './delete.ts'
import { toWireReceivers } from './wire.ts'
import { alertReceiverTables } from './table.ts'

/** The last delivery to each of the given receivers. */
async function lastDeliveries(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Wire.LastAlertDelivery>()
  const { rows } = await sql<Wire.LastAlertDelivery & { receiver_id: string }>`
    select its.receiver_id, its.state, its.time_started
    from alert_receiver join alert_delivery as its on its.id = (
      select id from alert_delivery where receiver_id = alert_receiver.id
      order by time_started desc, id desc limit 1)
    where alert_receiver.id in (${sql.join(ids)})`.execute(db)
  return new Map(rows.map(({ receiver_id, ...delivery }) => [receiver_id, delivery]))
}

export const alert_receiver: StoredKind<'alert_receiver'> = {
  tables: alertReceiverTables,
  live: 'time_deleted is null',
  search: searchOf('alert_receiver_search', {
    searched: [...described, 'endpoint'],
    sorts: { ...usualSorts, endpoint: text('endpoint') },
    filters: {},
    async toWire(rows: Row<'alert_receiver'>[], { db }) {
      const last = await lastDeliveries(
        db,
        rows.map(({ id }) => id),
      )
      return (await toWireReceivers(db, rows)).map((receiver) => ({
        ...receiver,
        last_delivery: last.get(receiver.id) ?? null,
      }))
    },
  }),
  steps: {
    delete: stepOn('alert_receiver', 'alert_receiver_delete', deleteReceiver),
  },
  deletion: { columns: {} },
}

export const webhook_secret: StoredKind<'webhook_secret'> = {
  live: '1 = 1',
  parentColumn: 'receiver_id',
}

import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { described, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { subscriptionsOf } from '../alerts/subscriptions.ts'
import { secretsOf, toWireSecret } from './secrets.ts'
import { deleteReceiver } from './delete.ts'

/** The reconciler claims receivers, so that one server at a time sends to each. */
export interface AlertReceiverTable extends Listed, SoftDeleted, Reconciled {
  /** All receivers are in one list, the fleet's. */
  fleet_id: string
  /** URL. */
  endpoint: string
}

export interface WebhookSecretTable {
  id: string
  receiver_id: string
  /** The key of the signatures. It must not outlive its use, so rows are removed at once. */
  value: string
  time_created: string
}

export interface AlertSubscriptionTable {
  receiver_id: string
  /** A class, or a pattern of classes. */
  subscription: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    alert_receiver: AlertReceiverTable
    webhook_secret: WebhookSecretTable
    alert_subscription: AlertSubscriptionTable
  }
}

type Receiver = Row<'alert_receiver'>

const identityOf = ({ id, name, description, time_created, time_modified }: Receiver) => ({
  id,
  name,
  description,
  time_created,
  time_modified,
})

async function partsOf(db: Db, rows: readonly Receiver[]) {
  const ids = rows.map(({ id }) => id)
  const secrets = await secretsOf(db, ids)
  const subscriptions = await subscriptionsOf(db, ids)
  return ({ id, endpoint }: Receiver) => ({
    endpoint,
    secrets: secrets.get(id)!.map(toWireSecret),
    subscriptions: subscriptions.get(id)!,
  })
}

export async function toWireReceivers(
  db: Db,
  rows: readonly Receiver[],
): Promise<Wire.AlertReceiver[]> {
  const parts = await partsOf(db, rows)
  return rows.map((row) => {
    const { subscriptions, ...webhook } = parts(row)
    return { ...identityOf(row), kind: { kind: 'webhook', ...webhook }, subscriptions }
  })
}

export async function toWireWebhook(db: Db, row: Receiver): Promise<Wire.WebhookReceiver> {
  const parts = await partsOf(db, [row])
  return { ...identityOf(row), ...parts(row) }
}

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
  tables: {
    alert_receiver: {
      actsLater: 'place',
      marked: true,
      names: { alert_receiver_name: kinds.alert_receiver.type },
    },
    webhook_secret: { actsLater: 'place', within: { receiver_id: 'alert_receiver' } },
    alert_subscription: { actsLater: 'place', within: { receiver_id: 'alert_receiver' } },
  },
  live: 'time_deleted is null',
  search: searchOf('alert_receiver_search', {
    searched: [...described, 'endpoint'],
    sorts: { ...usualSorts, endpoint: text('endpoint') },
    filters: {},
    async toWire(rows: Row<'alert_receiver'>[], { db }) {
      const last = await lastDeliveries(db, idsIn(rows))
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

import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, table } from './build.ts'

const reconciled = { reconcile_at: 'text?', lease_until: 'bigint?', fence: 'int' }

/** Receivers of alerts with their secrets and subscriptions, alerts, and their deliveries. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const receiver = {
    ...listed,
    ...reconciled,
    fleet_id: 'text',
    time_deleted: 'text?',
    endpoint: 'text',
  }
  await table(db, dialect, 'alert_receiver', receiver, ['id'])
  await index(db, 'alert_receiver_name', 'alert_receiver', ['name'], { unique: true, where: live })
  await index(db, 'alert_receiver_by_name', 'alert_receiver', ['fleet_id', 'name'], { where: live })
  const columns = { natural_name: 'name_key', description: 'description', created: 'time_created' }
  for (const [sort, column] of Object.entries({ ...columns, endpoint: 'endpoint' })) {
    await index(db, `alert_receiver_by_${sort}`, 'alert_receiver', ['fleet_id', column, 'id'], {
      where: live,
    })
  }
  const found = ['fleet_id', 'name', 'description', 'endpoint', 'time_deleted', 'id']
  await index(db, 'alert_receiver_search', 'alert_receiver', found, {
    where: `${live} and name <> ''`,
  })
  await index(db, 'alert_receiver_due', 'alert_receiver', ['reconcile_at'], {
    where: 'reconcile_at is not null',
  })
  await index(db, 'alert_receiver_leased', 'alert_receiver', ['lease_until'], {
    where: 'lease_until is not null',
  })
  const secret = { id: 'text', receiver_id: 'text', value: 'text', time_created: 'text' }
  await table(db, dialect, 'webhook_secret', secret, ['id'])
  await index(db, 'webhook_secret_receiver', 'webhook_secret', ['receiver_id'])
  const subscription = { receiver_id: 'text', subscription: 'text' }
  await table(db, dialect, 'alert_subscription', subscription, ['receiver_id', 'subscription'])

  const alert = {
    id: 'text',
    fleet_id: 'text',
    name: 'text',
    version: 'int',
    payload: 'text',
    words: 'text',
    time_created: 'text',
  }
  await table(db, dialect, 'alert', alert, ['id'])
  await index(db, 'alert_by_created', 'alert', ['fleet_id', 'time_created', 'id'])
  await index(db, 'alert_by_class', 'alert', ['fleet_id', 'name', 'id'])
  await index(db, 'alert_search', 'alert', ['fleet_id', 'name', 'words', 'time_created', 'id'], {
    where: `name <> ''`,
  })
  const delivery = {
    id: 'text',
    receiver_id: 'text',
    alert_id: 'text',
    name: 'text',
    trigger: 'text',
    state: 'text',
    time_started: 'text',
    time_next_attempt: 'text?',
    attempts: 'text',
  }
  await table(db, dialect, 'alert_delivery', delivery, ['id'])
  const byTime = ['time_started', 'id']
  await index(db, 'alert_delivery_by_time', 'alert_delivery', byTime)
  await index(db, 'alert_delivery_receiver', 'alert_delivery', ['receiver_id', ...byTime])
  await index(db, 'alert_delivery_alert', 'alert_delivery', ['alert_id', ...byTime])
  await index(db, 'alert_delivery_state', 'alert_delivery', ['receiver_id', 'state', ...byTime])
  const due = ['receiver_id', 'time_next_attempt']
  await index(db, 'alert_delivery_due', 'alert_delivery', due, { where: `state = 'pending'` })
}

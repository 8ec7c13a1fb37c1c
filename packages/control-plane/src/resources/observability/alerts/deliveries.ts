/** The deliveries of alerts: creating, counting and listing them. */
import type { Wire } from '@steading/api'
import { type DeliveryState, deliveryStates, type DeliveryTrigger } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type Page, pageByTime, type ResultsPage } from '../../../kernel/paging.ts'
import type { Writing } from '../../../kernel/work.ts'

type Delivery = Row<'alert_delivery'>

/** Rows per insert. */
const PIECE = 200

export const newDelivery = (
  receiverId: string,
  alert: { id: string; name: string },
  trigger: DeliveryTrigger,
  now: Date,
): Delivery => ({
  id: crypto.randomUUID(),
  receiver_id: receiverId,
  alert_id: alert.id,
  name: alert.name,
  trigger,
  state: 'pending',
  time_started: now.toISOString(),
  time_next_attempt: now.toISOString(),
  attempts: '[]',
})

/** Sets the alarm of receivers, so that the reconciler sends their due deliveries. */
export async function wakeReceivers(db: Db, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const time = now.toISOString()
  await db
    .updateTable('alert_receiver')
    .set({
      reconcile_at: sql<string>`case when reconcile_at < ${time} then reconcile_at else ${time} end`,
    })
    .where('id', 'in', ids)
    .execute()
}

/** Stores pending deliveries for the reconciler. */
export async function beginDeliveries(
  { db, now, emit }: Writing,
  deliveries: readonly Delivery[],
): Promise<void> {
  for (let at = 0; at < deliveries.length; at += PIECE) {
    const piece = deliveries.slice(at, at + PIECE)
    await db.insertInto('alert_delivery').values(piece).execute()
  }
  for (const delivery of deliveries) await emit('alert_delivery', 'create', delivery)
  await wakeReceivers(db, [...new Set(deliveries.map((each) => each.receiver_id))], now)
}

/** Number of deliveries by state, for each of the given alerts. */
export async function countDeliveries(
  db: Db,
  alertIds: readonly string[],
): Promise<Map<string, Wire.AlertDeliveryCounts>> {
  const none = () => ({ pending: 0, delivered: 0, failed: 0 })
  const counts = new Map(alertIds.map((id) => [id, none()]))
  if (alertIds.length === 0) return counts
  const rows = await db
    .selectFrom('alert_delivery')
    .innerJoin('alert_receiver', 'alert_receiver.id', 'alert_delivery.receiver_id')
    .select(['alert_id', 'state', (eb) => eb.fn.countAll<number>().as('count')])
    .where('alert_id', 'in', alertIds)
    .where('alert_receiver.time_deleted', 'is', null)
    .groupBy(['alert_id', 'state'])
    .execute()
  for (const { alert_id, state, count } of rows) counts.get(alert_id)![state] = Number(count)
  return counts
}

/** Filters of a list of deliveries. */
export interface DeliveryFilters {
  receiver?: string | undefined
  alert?: string | undefined
  states?: readonly DeliveryState[] | undefined
  trigger?: DeliveryTrigger | undefined
}

/**
 * The states that the flags of a list select: those set to true, or without one all not set to
 * false.
 */
export function desiredStates(
  flags: Partial<Record<DeliveryState, boolean | null>>,
): readonly DeliveryState[] {
  const wanted = deliveryStates.filter((state) => flags[state] === true)
  return wanted.length > 0 ? wanted : deliveryStates.filter((state) => flags[state] !== false)
}

/** A page of deliveries in the order of time, with the names of their receivers. */
export async function pageOfDeliveries<Item>(
  db: Db,
  page: Page,
  { receiver, alert, states, trigger }: DeliveryFilters,
  toWire: (row: Delivery & { receiver_name: string }) => Item,
): Promise<ResultsPage<Item>> {
  let rows = db
    .selectFrom('alert_delivery as its')
    .innerJoin('alert_receiver', 'alert_receiver.id', 'its.receiver_id')
    .selectAll('its')
    .select('alert_receiver.name as receiver_name')
    .where('alert_receiver.time_deleted', 'is', null)
  if (receiver !== undefined) rows = rows.where('its.receiver_id', '=', receiver)
  if (alert !== undefined) rows = rows.where('its.alert_id', '=', alert)
  if (states && states.length < deliveryStates.length) rows = rows.where('its.state', 'in', states)
  if (trigger !== undefined) rows = rows.where('its.trigger', '=', trigger)
  const columns = { time: 'its.time_started', id: 'its.id' }
  return pageByTime(page, rows, columns, ({ time_started }) => time_started, toWire)
}

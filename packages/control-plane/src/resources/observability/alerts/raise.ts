import {
  ALERT_VERSION,
  type AlertClassName,
  DESCRIPTION_MAX,
  FLEET_ID,
  subscribesTo,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { beginDeliveries, newDelivery } from './deliveries.ts'
import { alertPayload } from './kind.ts'

/** The whole words at the beginning of a text that a search may read. */
const firstWords = (text: string): string =>
  text.length <= DESCRIPTION_MAX
    ? text
    : text
        .slice(0, DESCRIPTION_MAX + 1)
        .replace(/\s+\S*$/, '')
        .slice(0, DESCRIPTION_MAX)

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const textsOf = (value: Json): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsOf)
    : [String(value)]

/** The receivers that subscribe to a class. */
async function receiversOf(db: Db, className: string): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_subscription')
    .innerJoin('alert_receiver', 'alert_receiver.id', 'alert_subscription.receiver_id')
    .select(['alert_receiver.id', 'alert_subscription.subscription'])
    .where('alert_receiver.time_deleted', 'is', null)
    .execute()
  const ids = rows
    .filter(({ subscription }) => subscribesTo(subscription, className))
    .map(({ id }) => id)
  return [...new Set(ids)]
}

/**
 * Raises an alert in a transaction, and queues its delivery to all receivers that subscribe to its
 * class. The reconciler delivers it after the commit.
 * @param payload describes the event, in the form for the class
 * @returns the id of the alert
 */
export async function raiseAlert(
  writing: Writing,
  name: AlertClassName,
  payload: { [key: string]: Json },
): Promise<string> {
  const { db, now, emit } = writing
  const alert: Row<'alert'> = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    name,
    version: ALERT_VERSION,
    payload: alertPayload.write(payload),
    words: firstWords(textsOf(payload).join(' ')),
    time_created: now.toISOString(),
  }
  await db.insertInto('alert').values(alert).execute()
  await emit('alert', 'create', alert)
  const receivers = await receiversOf(db, name)
  await beginDeliveries(
    writing,
    receivers.map((id) => newDelivery(id, alert, 'alert', now)),
  )
  return alert.id
}

import { ALERT_SUBSCRIPTIONS_MAX, alertMessages, subscriptionRefusal } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'

/** The subscriptions of the given receivers, in alphabetical order. */
export async function subscriptionsOf(
  db: Db,
  receiverIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>(receiverIds.map((id) => [id, []]))
  if (receiverIds.length === 0) return found
  const rows = await db
    .selectFrom('alert_subscription')
    .selectAll()
    .where('receiver_id', 'in', receiverIds)
    .orderBy('subscription')
    .execute()
  for (const { receiver_id, subscription } of rows) found.get(receiver_id)!.push(subscription)
  return found
}

/**
 * Subscribes a receiver; existing subscriptions stay.
 * @throws ApiError 400 for too many, or a text that is neither a class nor a pattern; 404 for an
 *   unknown class
 */
export async function subscribe(
  db: Db,
  receiverId: string,
  subscriptions: readonly string[],
): Promise<void> {
  for (const subscription of subscriptions) refuseIf(subscriptionRefusal(subscription))
  const present = (await subscriptionsOf(db, [receiverId])).get(receiverId)!
  const added = [...new Set(subscriptions)].filter((each) => !present.includes(each))
  if (present.length + added.length > ALERT_SUBSCRIPTIONS_MAX) {
    throw fail.invalidRequest(alertMessages.tooManySubscriptions)
  }
  if (added.length === 0) return
  const rows = added.map((subscription) => ({ receiver_id: receiverId, subscription }))
  await db.insertInto('alert_subscription').values(rows).execute()
}

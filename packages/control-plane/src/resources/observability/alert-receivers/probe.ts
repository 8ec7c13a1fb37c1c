import { alertMessages, PROBE_ALERT_ID, PROBE_CLASS } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Webhooks } from '../../../kernel/ports/webhooks.ts'
import type { Writing } from '../../../kernel/work.ts'
import { beginDeliveries, newDelivery } from '../alerts/deliveries.ts'
import { secretsOf } from './secrets.ts'
import { sendDelivery } from './send.ts'
import { deliveryAttempts } from '../alerts/kind.ts'

/**
 * Sends a probe, once, without storing it.
 * @throws ApiError 400 for a receiver without secrets; 503 if the host is stopping
 */
export async function sendProbe(
  { db, webhooks, clock }: { db: Db; webhooks: Webhooks; clock: () => Date },
  { id, endpoint }: Row<'alert_receiver'>,
): Promise<Row<'alert_delivery'>> {
  const secrets = (await secretsOf(db, [id])).get(id)!
  if (secrets.length === 0) throw fail.invalidRequest(alertMessages.noSecrets)
  const now = clock()
  const alert = { id: PROBE_ALERT_ID, name: PROBE_CLASS }
  const delivery = newDelivery(id, alert, 'probe', now)
  const made = await sendDelivery(webhooks, { endpoint, secrets, delivery, payload: '{}' }, 1, now)
  if (!made) throw fail.unavailable()
  return {
    ...delivery,
    state: made.result === 'succeeded' ? 'delivered' : 'failed',
    time_next_attempt: null,
    attempts: deliveryAttempts.write([made]),
  }
}

/**
 * Sends all alerts again that failed to reach a receiver and were not delivered since.
 * @returns their number
 */
export async function resendFailed(writing: Writing, receiverId: string): Promise<number> {
  const { db, now } = writing
  const failed = await db
    .selectFrom('alert_delivery as its')
    .innerJoin('alert', 'alert.id', 'its.alert_id')
    .select(['alert.id', 'alert.name'])
    .distinct()
    .where('its.receiver_id', '=', receiverId)
    .where('its.state', '=', 'failed')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('alert_delivery as other')
            .select('other.id')
            .whereRef('other.alert_id', '=', 'its.alert_id')
            .whereRef('other.receiver_id', '=', 'its.receiver_id')
            .where('other.state', 'in', ['delivered', 'pending']),
        ),
      ),
    )
    .execute()
  await beginDeliveries(
    writing,
    failed.map((alert) => newDelivery(receiverId, alert, 'resend', now)),
  )
  return failed.length
}

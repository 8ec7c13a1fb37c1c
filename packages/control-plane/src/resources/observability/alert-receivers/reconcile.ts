/**
 * Sends due deliveries to receivers. A receiver is claimed as a whole: so one server at a time
 * sends to it, and a receiver that does not answer delays no other. Deliveries that a killed server
 * sent without recording them are sent again.
 */
import { webhookBackoffsMs } from '@steading/api/rules'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Webhooks } from '../../../kernel/ports/webhooks.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { attemptsOf, deliveryAttempts } from '../alerts/kind.ts'
import { secretsOf } from './secrets.ts'
import { sendDelivery } from './send.ts'

export interface ReceiverParts {
  database: OpenDatabase
  clock: () => Date
  webhooks: Webhooks
}

/** Deliveries sent to a receiver at the same time. */
const AT_ONCE = 8

type Receiver = Row<'alert_receiver'>
type Delivery = Row<'alert_delivery'>

/** The longest delay between two attempts. Milliseconds. */
const LONGEST_WAIT_MS = Math.max(...webhookBackoffsMs)

/** Due deliveries, with the payloads of their alerts. */
const dueDeliveries = ({ database: { db } }: ReceiverParts, { id }: Receiver, now: Date) => {
  // A delivery due after that was postponed before the clock was set back.
  const latest = new Date(now.getTime() + LONGEST_WAIT_MS)
  return db
    .selectFrom('alert_delivery')
    .innerJoin('alert', 'alert.id', 'alert_delivery.alert_id')
    .selectAll('alert_delivery')
    .select('alert.payload')
    .where('receiver_id', '=', id)
    .where('state', '=', 'pending')
    .where((eb) =>
      eb.or([
        eb('time_next_attempt', '<=', now.toISOString()),
        eb('time_next_attempt', '>', latest.toISOString()),
      ]),
    )
    .orderBy('time_next_attempt')
    .limit(AT_ONCE)
    .execute()
}

async function attempt(
  { database, clock, webhooks }: ReceiverParts,
  { id, endpoint, fence }: Receiver,
  secrets: Row<'webhook_secret'>[],
  { payload, ...delivery }: Delivery & { payload: string },
): Promise<void> {
  const before = attemptsOf(delivery)
  const made = await sendDelivery(
    webhooks,
    { endpoint, secrets, delivery, payload },
    before.length + 1,
    clock(),
  )
  if (!made) return
  const now = clock()
  const succeeded = made.result === 'succeeded'
  const backoff = succeeded ? undefined : webhookBackoffsMs[before.length]
  const values = {
    attempts: deliveryAttempts.write([...before, made]),
    state: succeeded ? 'delivered' : backoff === undefined ? 'failed' : 'pending',
    time_next_attempt:
      backoff === undefined ? null : new Date(now.getTime() + backoff).toISOString(),
  } as const
  await database.concurrently(async (tx) => {
    const written = await tx
      .updateTable('alert_delivery')
      .set(values)
      .where('id', '=', delivery.id)
      .where('attempts', '=', delivery.attempts)
      // Another server may have claimed the receiver since; then that one sends and records.
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('alert_receiver')
            .select('alert_receiver.id')
            .where('alert_receiver.id', '=', id)
            .where('fence', '=', fence),
        ),
      )
      .returning('id')
      .executeTakeFirst()
    if (written) await writingIn(tx, now).emit('alert_delivery', 'update', delivery)
  })
}

async function reconcileReceiver(
  parts: ReceiverParts,
  step: Step<'alert_receiver'>,
  receiver: Receiver,
): Promise<void> {
  const { db } = parts.database
  const secrets = (await secretsOf(db, [receiver.id])).get(receiver.id)!
  // Signing needs a secret. Deliveries wait until there is one.
  if (receiver.time_deleted !== null || secrets.length === 0) return step.end(db, null)
  const due = await dueDeliveries(parts, receiver, parts.clock())
  await Promise.all(due.map((delivery) => attempt(parts, receiver, secrets, delivery)))
  const next = await db
    .selectFrom('alert_delivery')
    .select((eb) => eb.fn.min('time_next_attempt').as('at'))
    .where('receiver_id', '=', receiver.id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  await step.end(db, next?.at ? new Date(next.at) : null)
}

export const receiverReconciliation = (parts: ReceiverParts): Reconciliation<'alert_receiver'> => ({
  table: 'alert_receiver',
  reconcile: (step, row) => reconcileReceiver(parts, step, row),
  async resync() {
    await parts.database.db
      .updateTable('alert_receiver')
      .set({ reconcile_at: parts.clock().toISOString() })
      .where('time_deleted', 'is', null)
      .where('reconcile_at', 'is', null)
      .where('lease_until', 'is', null)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('alert_delivery')
            .select('alert_delivery.id')
            .whereRef('alert_delivery.receiver_id', '=', 'alert_receiver.id')
            .where('state', '=', 'pending'),
        ),
      )
      .execute()
  },
})

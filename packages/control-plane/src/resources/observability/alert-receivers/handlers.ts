import type { tables, Wire } from '@steading/api'
import { alertMessages, urlProblem, FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import type { Webhooks } from '../../../kernel/ports/webhooks.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { pageOfDeliveries, desiredStates, wakeReceivers } from '../alerts/deliveries.ts'
import { toWireDelivery } from '../alerts/kind.ts'
import { deleteReceiver } from './delete.ts'
import { resendFailed, sendProbe } from './probe.ts'
import { addSecrets, requireSecret, secretsOf, toWireSecret } from './secrets.ts'
import { subscribe } from '../alerts/subscriptions.ts'
import { toWireReceivers, toWireWebhook } from './kind.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { deleteRow, changeNamed, insertNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'

type Receiver = Row<'alert_receiver'>

function webhooksOf({ webhooks }: ControlPlaneServices): Webhooks {
  if (!webhooks) throw fail.notImplemented('this server delivers no webhooks')
  return webhooks
}

/** @throws ApiError 400 for a URL to which nothing may be sent */
async function requireEndpoint(services: ControlPlaneServices, endpoint: string): Promise<void> {
  const problem = urlProblem(endpoint) ?? (await webhooksOf(services).refusal(endpoint))
  if (problem) throw fail.invalidValue('endpoint', problem)
}

const receivers = usualHandlers(
  'alert_receiver',
  (rows: Receiver[], { db }) => toWireReceivers(db, rows),
  'receiver',
)

export const alertReceiverHandlers: Handlers<typeof tables.alertReceiverOperations> = {
  alert_receiver_list: receivers.list,
  alert_receiver_search: receivers.search,
  alert_receiver_view: receivers.view,
  alert_receiver_delete: receivers.delete(deleteReceiver),

  async alert_receiver_subscription_add(ctx) {
    const { id, name } = await receivers.find(ctx)
    const { subscription } = ctx.body
    await subscribe(ctx.db, id, [subscription])
    await ctx.emit('alert_receiver', 'update', { id, name })
    return { subscription }
  },

  async alert_receiver_subscription_remove(ctx) {
    const { id, name } = await receivers.find(ctx)
    const { subscription } = ctx.params
    const removed = await ctx.db
      .deleteFrom('alert_subscription')
      .where('receiver_id', '=', id)
      .where('subscription', '=', subscription)
      .returning('subscription')
      .executeTakeFirst()
    if (!removed) throw fail.notFoundByName('alert-subscription', subscription)
    await ctx.emit('alert_receiver', 'update', { id, name })
  },

  async alert_delivery_list(ctx) {
    const { id } = await receivers.find(ctx)
    const states = desiredStates(ctx.query)
    return pageOfDeliveries(ctx.db, ctx.page, { receiver: id, states }, toWireDelivery)
  },

  async alert_delivery_search(ctx) {
    authorize(ctx, 'alert_delivery', {})
    const { receiver, alert, state, trigger } = ctx.query
    const filters = { receiver, alert, states: state && [state], trigger }
    return pageOfDeliveries(ctx.db, ctx.page, filters, (row) => ({
      ...toWireDelivery(row),
      receiver_name: row.receiver_name,
      time_next_attempt: row.time_next_attempt,
    }))
  },

  async alert_receiver_probe(ctx) {
    const { services, actor, requiredActions, audit } = ctx
    const { database, clock } = services
    const receiver = await receivers.find(ctx)
    const delivery = await sendProbe(
      { db: ctx.db, clock, webhooks: webhooksOf(services) },
      receiver,
    )
    const resends = ctx.query.resend === true && delivery.state === 'delivered'
    return database.transaction(async (db): Promise<Wire.AlertProbeResult> => {
      // The receiver may have been deleted meanwhile.
      const { id } = await lookup(
        { db, actor, requiredActions, audit },
        'alert_receiver',
        receiver.id,
      )
      const writing = writingIn(db, clock(), actor, audit)
      await db.insertInto('alert_delivery').values(delivery).execute()
      await writing.emit('alert_delivery', 'create', delivery)
      return {
        probe: toWireDelivery(delivery),
        resends_started: resends ? await resendFailed(writing, id) : null,
      }
    })
  },

  async webhook_receiver_create(ctx) {
    authorize(ctx, 'alert_receiver', {})
    const { services, actor, now, audit, body } = ctx
    const { endpoint, secrets, subscriptions } = body
    if (secrets.length === 0) throw fail.invalidRequest(alertMessages.noSecrets)
    for (const secret of secrets) requireSecret('secrets', secret)
    await requireEndpoint(services, endpoint)
    return services.database.transaction(async (db) => {
      const writing = writingIn(db, now, actor, audit)
      const receiver = await insertNamed(writing, 'alert_receiver', body, {
        fleet_id: FLEET_ID,
        endpoint,
        reconcile_at: null,
        ...unclaimed,
      })
      await addSecrets(db, receiver.id, secrets, now)
      await subscribe(db, receiver.id, subscriptions)
      return toWireWebhook(db, receiver)
    })
  },

  async webhook_receiver_update(ctx) {
    const { services, actor, requiredActions, now, audit, body } = ctx
    const { id } = await receivers.find(ctx)
    if (body.endpoint) await requireEndpoint(services, body.endpoint)
    await services.database.transaction(async (db) => {
      const receiver = await lookup({ db, actor, requiredActions, audit }, 'alert_receiver', id)
      const refusal = await ctx.http.precondition(db)
      if (refusal) throw refusal
      const endpoint = body.endpoint ?? receiver.endpoint
      const writing = writingIn(db, now, actor, audit)
      await changeNamed(writing, 'alert_receiver', receiver, body, { endpoint })
    })
  },

  async webhook_secrets_list(ctx) {
    const { id } = await lookup(ctx, 'alert_receiver', ctx.query.receiver)
    return { secrets: (await secretsOf(ctx.db, [id])).get(id)!.map(toWireSecret) }
  },

  async webhook_secrets_add(ctx) {
    const { id, name } = await lookup(ctx, 'alert_receiver', ctx.query.receiver)
    requireSecret('secret', ctx.body.secret)
    const [secret] = await addSecrets(ctx.db, id, [ctx.body.secret], ctx.now)
    await wakeReceivers(ctx.db, [id], ctx.now)
    await ctx.emit('alert_receiver', 'update', { id, name })
    return toWireSecret(secret!)
  },

  async webhook_secrets_delete(ctx) {
    const { id } = await lookup(ctx, 'webhook_secret', ctx.params.secret_id)
    await deleteRow(ctx, 'webhook_secret', { id, name: '' })
  },
}

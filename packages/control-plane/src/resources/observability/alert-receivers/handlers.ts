import type { tables, Wire } from '@steading/api'
import { alertMessages, urlProblem, FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import type { Webhooks } from '../../../kernel/ports/webhooks.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { pageOfDeliveries, statesWanted, wakeReceivers } from '../alerts/deliveries.ts'
import { toWireDelivery } from '../alerts/wire.ts'
import { deleteReceiver } from './delete.ts'
import { resendFailed, sendProbe } from './probe.ts'
import { addSecrets, requireSecret, secretsOf, toWireSecret } from './secrets.ts'
import { subscribe } from '../alerts/subscriptions.ts'
import { toWireReceivers, toWireWebhook } from './wire.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'

type Receiver = Row<'alert_receiver'>

const lookupReceiver = (ctx: LookupContext<'alert_receiver'> & { params: { receiver: string } }) =>
  lookup(ctx, 'alert_receiver', ctx.params.receiver)

function webhooksOf({ webhooks }: ControlPlaneServices): Webhooks {
  if (!webhooks) throw fail.notImplemented('this server delivers no webhooks')
  return webhooks
}

/** @throws ApiError 400 for a URL to which nothing may be sent */
async function requireEndpoint(services: ControlPlaneServices, endpoint: string): Promise<void> {
  const problem = urlProblem(endpoint) ?? (await webhooksOf(services).refusal(endpoint))
  if (problem) throw fail.invalidValue('endpoint', problem)
}

export const alertReceiverHandlers: Handlers<typeof tables.alertReceiverOperations> = {
  async alert_receiver_list(ctx) {
    authorize(ctx, 'alert_receiver', {})
    const rows = rowsOf(ctx.db, 'alert_receiver').selectAll()
    const page = await listPage(ctx.page, rows, { name: 'name', id: 'id' }, (row) => row)
    return { ...page, items: await toWireReceivers(ctx.db, page.items) }
  },

  async alert_receiver_search(ctx) {
    authorize(ctx, 'alert_receiver', {})
    return searchList(ctx, 'alert_receiver', FLEET_ID)
  },

  async alert_receiver_view(ctx) {
    const [answer] = await toWireReceivers(ctx.db, [await lookupReceiver(ctx)])
    return answer!
  },

  async alert_receiver_delete(ctx) {
    await deleteReceiver(ctx, await lookupReceiver(ctx))
  },

  async alert_receiver_subscription_add(ctx) {
    const { id, name } = await lookupReceiver(ctx)
    const { subscription } = ctx.body
    await subscribe(ctx.db, id, [subscription])
    await ctx.emit('alert_receiver', 'update', { id, name })
    return { subscription }
  },

  async alert_receiver_subscription_remove(ctx) {
    const { id, name } = await lookupReceiver(ctx)
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
    const { id } = await lookupReceiver(ctx)
    const states = statesWanted(ctx.query)
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
    const { services, actor, requiredActions, trail } = ctx
    const { database, clock } = services
    const receiver = await lookupReceiver(ctx)
    const delivery = await sendProbe(
      { db: ctx.db, clock, webhooks: webhooksOf(services) },
      receiver,
    )
    const resends = ctx.query.resend === true && delivery.state === 'delivered'
    return database.transaction(async (db): Promise<Wire.AlertProbeResult> => {
      // The receiver may have been deleted meanwhile.
      const { id } = await lookup(
        { db, actor, requiredActions, trail },
        'alert_receiver',
        receiver.id,
      )
      const writing = writingIn(db, clock(), actor, trail)
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
    const { services, actor, now, trail, body } = ctx
    const { name, description, endpoint, secrets, subscriptions } = body
    if (secrets.length === 0) throw fail.invalidRequest(alertMessages.noSecrets)
    for (const secret of secrets) requireSecret('secrets', secret)
    await requireEndpoint(services, endpoint)
    return services.database.transaction(async (db) => {
      await requireFreeName(db, 'alert_receiver', FLEET_ID, name)
      const time = now.toISOString()
      const receiver: Receiver = {
        id: crypto.randomUUID(),
        fleet_id: FLEET_ID,
        ...named(name),
        description,
        endpoint,
        time_created: time,
        time_modified: time,
        time_deleted: null,
        reconcile_at: null,
        ...unclaimed,
      }
      await db.insertInto('alert_receiver').values(receiver).execute()
      await addSecrets(db, receiver.id, secrets, now)
      await subscribe(db, receiver.id, subscriptions)
      await writingIn(db, now, actor, trail).emit('alert_receiver', 'create', receiver)
      return toWireWebhook(db, receiver)
    })
  },

  async webhook_receiver_update(ctx) {
    const { services, actor, requiredActions, now, trail, body } = ctx
    const { id } = await lookupReceiver(ctx)
    if (body.endpoint) await requireEndpoint(services, body.endpoint)
    await services.database.transaction(async (db) => {
      const receiver = await lookup({ db, actor, requiredActions, trail }, 'alert_receiver', id)
      const refusal = await ctx.http.precondition(db)
      if (refusal) throw refusal
      const name = body.name ?? receiver.name
      if (name !== receiver.name) await requireFreeName(db, 'alert_receiver', FLEET_ID, name)
      await db
        .updateTable('alert_receiver')
        .set({
          ...named(name),
          description: body.description ?? receiver.description,
          endpoint: body.endpoint ?? receiver.endpoint,
          time_modified: now.toISOString(),
        })
        .where('id', '=', id)
        .execute()
      await writingIn(db, now, actor, trail).emit('alert_receiver', 'update', { id, name })
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
    const secret = await lookup(ctx, 'webhook_secret', ctx.params.secret_id)
    await ctx.db.deleteFrom('webhook_secret').where('id', '=', secret.id).execute()
    await ctx.emit('webhook_secret', 'delete', { id: secret.id, name: '' })
  },
}

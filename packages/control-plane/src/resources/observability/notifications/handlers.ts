import type { tables, Wire } from '@steading/api'
import { isTimeZone } from '@steading/api/recurrence'
import {
  channelProblem,
  dailyDefault,
  notificationMessages,
  scheduleMessages,
} from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import {
  authorize,
  type PermissionContext,
  requireOwnAccount,
} from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { fail } from '../../../kernel/errors.ts'
import { type LookupContext, lookup, lookupOwn } from '../../../kernel/lookup.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'
import {
  countUnread,
  markAllRead,
  markRead,
  pageOfNotifications,
  topicsOf,
  writeTopics,
} from './centre.ts'
import { followedLink } from './links.ts'
import { nextDigest } from './reconcile.ts'
import {
  alarmAt,
  countConfirmation,
  emitSubscription,
  lastSequence,
  requireRoom,
  subscriptionsOf,
  topicsColumn,
} from './subscriptions.ts'
import { type SubscriptionRow, toWireSubscription } from './wire.ts'

/**
 * @throws ApiError 501 for a channel that this server has not, 400 for an address to which nothing
 *   may be sent
 */
async function requireChannel(
  { mail, webhooks }: ControlPlaneServices,
  channel: Wire.NotificationChannel,
): Promise<void> {
  const wrong = channelProblem(channel)
  if (wrong) throw fail.invalidValue(wrong.label, wrong.problem)
  if (channel.type === 'email') {
    if (!mail) throw fail.notImplemented(notificationMessages.noMail)
    return
  }
  if (!webhooks) throw fail.notImplemented(notificationMessages.noWebhooks)
  const refusal = await webhooks.refusal(channel.url)
  if (refusal) throw fail.invalidValue('url', refusal)
}

type Address = Pick<SubscriptionRow, 'channel' | 'address' | 'room' | 'secret'>

function addressOf(channel: Wire.NotificationChannel): Address {
  const plain = { channel: channel.type, room: null, secret: null }
  switch (channel.type) {
    case 'email':
      return { ...plain, address: channel.address }
    case 'webhook':
      return { ...plain, address: channel.url, secret: channel.secret ?? null }
    case 'matrix':
      return {
        ...plain,
        address: channel.url,
        room: channel.room,
        secret: channel.access_token,
      }
    default:
      return { ...plain, address: channel.url }
  }
}

/**
 * The columns of the time of daily messages.
 * @throws ApiError 400 for no time zone
 */
function dailyColumns({ hour, time_zone }: Wire.NotificationDailyTime) {
  if (!isTimeZone(time_zone)) throw fail.invalidValue('time_zone', scheduleMessages.timeZone)
  return { daily_hour: hour, daily_time_zone: time_zone }
}

type OwnerColumns = Pick<SubscriptionRow, 'user_id' | 'project_id' | 'scope_project_id'>

/** The owner and the scope that a body names, for which the caller may subscribe. */
async function placeOf(
  ctx: Pick<Work, 'db' | 'actor'> &
    LookupContext<'project'> &
    PermissionContext<'project' | 'project_notification_subscription' | 'fleet'>,
  { owner_project: owner, scope, project }: Wire.NotificationSubscriptionCreate,
): Promise<OwnerColumns> {
  const { actor } = ctx
  if (owner) {
    const { id } = await lookup(ctx, 'project', owner)
    authorize(ctx, 'project_notification_subscription', { siloId: actor.siloId, projectId: id })
    if (scope !== 'project' || (project && project !== owner && project !== id)) {
      throw fail.invalidRequest(notificationMessages.ofProject)
    }
    return { user_id: null, project_id: id, scope_project_id: id }
  }
  requireOwnAccount(actor)
  if (scope !== 'project' && project) throw fail.invalidRequest(notificationMessages.projectUnused)
  if (scope === 'fleet') authorize(ctx, 'fleet', {})
  if (scope !== 'project') {
    return { user_id: actor.userId, project_id: null, scope_project_id: null }
  }
  if (!project) throw fail.invalidRequest(notificationMessages.projectMissing)
  const { id } = await lookup(ctx, 'project', project)
  return { user_id: actor.userId, project_id: null, scope_project_id: id }
}

const ownerOf = ({ user_id, project_id }: Pick<SubscriptionRow, 'user_id' | 'project_id'>) =>
  project_id ? { project_id } : { user_id: user_id! }

type SubscriptionContext = Pick<Work, 'db' | 'actor'> &
  LookupContext<'project_notification_subscription'> & { params: { subscription: string } }

async function lookupSubscription(ctx: SubscriptionContext): Promise<SubscriptionRow> {
  const id = ctx.params.subscription
  const found = await findRow(ctx.db, 'notification_subscription', id, 'project_id')
  return found?.project_id
    ? lookup(ctx, 'project_notification_subscription', id)
    : lookupOwn(ctx, 'notification_subscription', id)
}

/** A subscription as answers show it. */
async function shown(db: Db, row: SubscriptionRow): Promise<Wire.NotificationSubscription> {
  const all = await subscriptionsOf(db, ownerOf(row))
  return toWireSubscription(all.find(({ id }) => id === row.id) ?? row)
}

/** Values of an address that is new in a subscription, and of the attempts to reach it. */
async function newAddress(
  db: Db,
  {
    channel,
    all,
    actor,
    now,
  }: {
    channel: Wire.NotificationChannel
    /** The subscriptions of the owner. */
    all: readonly SubscriptionRow[]
    actor: Actor
    now: Date
  },
) {
  const address = addressOf(channel)
  const isConfirmed =
    address.channel !== 'email' ||
    all.some((one) => one.address === address.address && one.time_confirmed !== null)
  if (!isConfirmed) await countConfirmation(db, actor.userId, now)
  return {
    ...address,
    // The links in mails to an earlier address end.
    link_key: randomToken(32),
    time_confirmed: isConfirmed ? now.toISOString() : null,
    time_asked: null,
    wants_test: 0 as const,
    // Notifications from before are not sent.
    sent_until: await lastSequence(db),
    attempts: 0,
    problem: null,
    time_failed: null,
  }
}

async function newSubscription(
  db: Db,
  {
    body,
    place,
    actor,
    now,
  }: {
    body: Wire.NotificationSubscriptionCreate
    place: OwnerColumns
    actor: Actor
    now: Date
  },
): Promise<SubscriptionRow> {
  const all = await subscriptionsOf(db, ownerOf(place))
  requireRoom(all)
  const address = await newAddress(db, { channel: body.channel, all, actor, now })
  const time = now.toISOString()
  const times = { digest: body.digest, ...dailyColumns(body.daily_at ?? dailyDefault) }
  const due = nextDigest(times, now)?.toISOString() ?? null
  return {
    id: crypto.randomUUID(),
    ...place,
    silo_id: actor.siloId,
    scope: body.scope,
    topics: topicsColumn(body.topics),
    severity: body.severity,
    ...times,
    ...address,
    time_last_sent: null,
    time_next_attempt: due,
    time_created: time,
    time_modified: time,
    reconcile_at: address.time_confirmed === null ? time : due,
    ...unclaimed,
  }
}

/** The new columns of a subscription. */
async function changesOf(
  db: Db,
  row: SubscriptionRow,
  { body, actor, now }: { body: Wire.NotificationSubscriptionUpdate; actor: Actor; now: Date },
) {
  const { channel, daily_at } = body
  const times = { digest: body.digest, ...(daily_at && dailyColumns(daily_at)) }
  const time = now.toISOString()
  const all = channel ? await subscriptionsOf(db, ownerOf(row)) : []
  const address = channel && (await newAddress(db, { channel, all, actor, now }))
  const due = nextDigest({ ...row, ...times }, now)?.toISOString() ?? null
  const isOtherTime = Object.entries(times).some(
    ([column, value]) => row[column as keyof typeof times] !== value,
  )
  return {
    topics: topicsColumn(body.topics),
    severity: body.severity,
    ...times,
    time_modified: time,
    ...address,
    ...((address || isOtherTime) && {
      time_next_attempt: due,
      reconcile_at: alarmAt(address?.time_confirmed === null ? time : (due ?? time)),
    }),
  }
}

/** The link of a mail. @throws ApiError 404 for one that is not valid */
async function requireLink(db: Db, token: string, now: Date) {
  const link = await followedLink(db, token, now)
  if (!link) throw fail.notFoundGeneric(notificationMessages.badLink)
  return link
}

export const notificationHandlers: Handlers<typeof tables.notificationOperations> = {
  async notification_list(ctx) {
    const { unread, topic } = ctx.query
    return pageOfNotifications(ctx, ctx.page, {
      unread,
      topics: topic?.split(',') as Wire.NotificationTopic[] | undefined,
    })
  },

  notification_unread_view: async (ctx) => countUnread(ctx),

  async notification_read(ctx) {
    await markRead(ctx, ctx.body.ids)
  },

  async notification_read_all(ctx) {
    await markAllRead(ctx, new Date(ctx.body.until))
  },

  notification_settings_view: async (ctx) => ({ topics: await topicsOf(ctx) }),

  async notification_settings_update(ctx) {
    await writeTopics(ctx, ctx.body.topics)
    return { topics: await topicsOf(ctx) }
  },

  async notification_subscription_list(ctx) {
    const { project } = ctx.query
    if (!project) requireOwnAccount(ctx.actor)
    const owner = project
      ? { project_id: (await lookup(ctx, 'project', project)).id }
      : { user_id: ctx.actor.userId }
    return { items: (await subscriptionsOf(ctx.db, owner)).map(toWireSubscription) }
  },

  async notification_subscription_create(ctx) {
    const { services, body, actor, audit } = ctx
    const { database, clock, reconciler } = services
    await placeOf(ctx, body)
    await requireChannel(services, body.channel)
    const created = await database.transaction(async (db) => {
      const now = clock()
      // The caller's rights may have ended meanwhile.
      const place = await placeOf({ ...ctx, db, actor, requiredActions: ctx.requiredActions }, body)
      const row = await newSubscription(db, { body, place, actor, now })
      await db.insertInto('notification_subscription').values(row).execute()
      await emitSubscription(writingIn(db, now, actor, audit), 'create', row)
      return shown(db, row)
    })
    reconciler.wake('notification_subscription')
    return created
  },

  notification_subscription_view: async (ctx) => shown(ctx.db, await lookupSubscription(ctx)),

  async notification_subscription_update(ctx) {
    const { services, body, actor, audit } = ctx
    const { database, clock, reconciler } = services
    await lookupSubscription(ctx)
    if (body.channel) await requireChannel(services, body.channel)
    const changed = await database.transaction(async (db) => {
      const now = clock()
      // The caller's rights may have ended meanwhile.
      const row = await lookupSubscription({ ...ctx, db })
      const refusal = await ctx.http.precondition(db)
      if (refusal) throw refusal
      const updated = await db
        .updateTable('notification_subscription')
        .set(await changesOf(db, row, { body, actor, now }))
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await emitSubscription(writingIn(db, now, actor, audit), 'update', updated)
      return shown(db, updated)
    })
    reconciler.wake('notification_subscription')
    return changed
  },

  async notification_subscription_delete(ctx) {
    const row = await lookupSubscription(ctx)
    await ctx.db.deleteFrom('notification_subscription').where('id', '=', row.id).execute()
    await emitSubscription(ctx, 'delete', row)
  },

  async notification_subscription_test(ctx) {
    const { db, now, services, actor } = ctx
    const row = await lookupSubscription(ctx)
    const isConfirmed = row.time_confirmed !== null
    if (!isConfirmed) await countConfirmation(db, actor.userId, now)
    const changed = await db
      .updateTable('notification_subscription')
      .set({
        ...(isConfirmed ? { wants_test: 1 as const } : { time_asked: null }),
        // A test need not wait for the next attempt.
        attempts: 0,
        reconcile_at: now.toISOString(),
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await emitSubscription(ctx, 'update', changed)
    ctx.afterCommit(async () => services.reconciler.wake('notification_subscription'))
    return shown(db, changed)
  },

  async notification_link_view(ctx) {
    const { purpose, row } = await requireLink(ctx.db, ctx.params.token, ctx.now)
    const isDone = purpose === 'confirm' && row.time_confirmed !== null
    return { purpose, address: row.address, done: isDone }
  },

  async notification_link_follow(ctx) {
    const { db, now, services } = ctx
    const { purpose, row } = await requireLink(db, ctx.params.token, now)
    if (purpose === 'unsubscribe') {
      await db.deleteFrom('notification_subscription').where('id', '=', row.id).execute()
      await emitSubscription(ctx, 'delete', row)
    } else if (row.time_confirmed === null) {
      const values = { time_confirmed: now.toISOString(), sent_until: await lastSequence(db) }
      const alarm = row.time_next_attempt ?? now.toISOString()
      await changeRow(db, 'notification_subscription', row.id, {
        ...values,
        reconcile_at: alarmAt(alarm),
      })
      await emitSubscription(ctx, 'update', row)
      ctx.afterCommit(async () => services.reconciler.wake('notification_subscription'))
    }
    return { purpose, address: row.address, done: true }
  },
}

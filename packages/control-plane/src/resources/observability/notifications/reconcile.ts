/**
 * Sends the notifications of subscriptions. A subscription is claimed as a whole: so one server at
 * a time sends to its address. It keeps the number of the last notification that was sent, so
 * nothing is lost; a message that a killed server sent without recording it is sent again, with the
 * same identifier.
 */
import { nextRun } from '@steading/api/recurrence'
import {
  MESSAGE_REST_MS,
  MESSAGE_SHOWN,
  mailLinkPath,
  notificationTopics,
} from '@steading/api/rules'
import { sql } from 'kysely'
import { type Actor, loadUser } from '../../../kernel/authz/actor.ts'
import { consoleOf } from '../../../kernel/console-url.ts'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { MailSent } from '../../../kernel/ports/mail.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { writingIn } from '../../../kernel/work.ts'
import { type Channels, sendMessage } from './channels.ts'
import { linkToken } from './links.ts'
import { confirmationMail, type Message, type MessageItem } from './message.ts'
import { rowsIn, type Sources, sourcesFor, sourcesOfProject } from './readable.ts'
import { afterFailure, nextAttempt } from './attempts.ts'
import { emitSubscription, lastSequence } from './subscriptions.ts'
import { notificationTopicsColumn } from './table.ts'
import { described, type NotificationRow, type SubscriptionRow } from './wire.ts'

export interface SubscriptionParts extends Channels {
  database: OpenDatabase
  clock: () => Date
  settings: Pick<Settings, 'consoleUrl' | 'externalZones'>
}

const HOUR_MS = 60 * 60 * 1000

type DigestTimes = Pick<SubscriptionRow, 'digest' | 'daily_hour' | 'daily_time_zone'>

/** The time after now at which a digest is due; null sends as soon as there is something. */
export function nextDigest(
  { digest, daily_hour, daily_time_zone }: DigestTimes,
  now: Date,
): Date | null {
  if (digest === 'immediately') return null
  if (digest === 'hourly') return new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
  const expression = `0 ${daily_hour} * * *`
  return nextRun({ type: 'cron', expression, time_zone: daily_time_zone }, now)!
}

/** The owner of a subscription, with the rights at present; undefined if it is gone. */
interface Owner {
  sources: Sources
  siloId: string
  siloName: string
  /** For the mail that asks for a confirmation. */
  words: string
  /** Path of the page with the notifications and the one with the subscription. */
  path: string
  settingsPath: string
}

const ofUser = (row: SubscriptionRow, actor: Actor): Owner => ({
  sources: sourcesFor(actor, row.scope, row.scope_project_id),
  siloId: actor.siloId,
  siloName: actor.siloName,
  words: actor.displayName,
  path: '/settings/notifications',
  settingsPath: '/settings/notifications?tab=subscriptions',
})

async function ownerOf(db: Db, row: SubscriptionRow): Promise<Owner | undefined> {
  if (row.user_id) {
    const actor = await loadUser(db, row.user_id)
    return actor && ofUser(row, actor)
  }
  const project = await db
    .selectFrom('project')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select(['project.name', 'silo.id as siloId', 'silo.name as siloName'])
    .where('project.id', '=', row.project_id)
    .where('project.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!project) return undefined
  const { name, siloId, siloName } = project
  const path = `/projects/${encodeURIComponent(name)}/notifications`
  return {
    sources: sourcesOfProject(row.project_id!, siloId),
    siloId,
    siloName,
    words: `Project ${name}`,
    path,
    settingsPath: path,
  }
}

interface Pending {
  rows: NotificationRow[]
  more: number
  /** Number of the last announcement that this includes. */
  until: number
}

/** The wanted notifications that were announced since the last message, the newest first. */
async function pendingOf(db: Db, row: SubscriptionRow, { sources }: Owner): Promise<Pending> {
  const until = await lastSequence(db)
  const topics = notificationTopicsColumn.read(row.topics)
  const wanted = sql`
    from (${rowsIn(sources)}) as its
    where its.sequence > ${row.sent_until} and its.sequence <= ${until}
      ${topics.length === notificationTopics.length ? sql`` : sql`and its.topic in (${sql.join(['', ...topics])})`}
      ${row.severity === 'critical' ? sql`and its.severity = 'critical'` : sql``}`
  const { rows } = await sql<NotificationRow>`
    select * ${wanted} order by its.sequence desc limit ${MESSAGE_SHOWN}`.execute(db)
  if (rows.length < MESSAGE_SHOWN) return { rows, more: 0, until }
  await yieldToEventLoop()
  const { rows: counts } = await sql<{ count: number }>`
    select count(*) as count ${wanted}`.execute(db)
  return { rows, more: Number(counts[0]!.count) - rows.length, until }
}

const itemOf = (row: NotificationRow, { siloId }: Owner, base: string): MessageItem => {
  const { id, kind, topic, severity, announced: state, time: time_changed } = row
  const { sentence, path } = described(row, siloId, state)
  const times = Number(row.times)
  return { id, kind, topic, severity, state, sentence, url: base + path, times, time_changed }
}

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString()

/** The values of a subscription after an attempt. */
function after(row: SubscriptionRow, sent: Exclude<MailSent, 'cut_off'>, now: Date) {
  if (sent === 'sent') {
    const next = nextDigest(row, now)?.toISOString() ?? later(now, MESSAGE_REST_MS)
    return { attempts: 0, problem: null, time_failed: null, time_next_attempt: next }
  }
  return afterFailure(row, sent, now)
}

/** The longest time that anything waits, on the day on which clocks are put back. */
const LONGEST_WAIT_MS = 25 * HOUR_MS

/** The time before which nothing is sent; undefined if that is over. */
function restOf(row: SubscriptionRow, now: Date): Date | undefined {
  // A test, and the question for a confirmation, wait for no digest.
  const isAtOnce = row.wants_test === 1 || row.time_confirmed === null
  if (isAtOnce && Number(row.attempts) === 0) return undefined
  return nextAttempt(row, now, LONGEST_WAIT_MS)
}

/** Asks the owner of a mailing address, once. */
async function ask(
  parts: SubscriptionParts,
  row: SubscriptionRow,
  owner: Owner,
  base: string,
): Promise<MailSent> {
  const { mail } = parts
  if (!mail) return { failed: 'server', problem: 'there is none' }
  const url = base + mailLinkPath(await linkToken(row, 'confirm'))
  return mail.send({
    to: row.address,
    ...confirmationMail({ who: owner.words, url }),
    id: `${row.id}.confirm`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}

const reasonOf = ({ project_id }: SubscriptionRow, { words }: Owner): string =>
  project_id
    ? `${words} sends its notifications to this address.`
    : `You have this mail because ${words} subscribed this address to notifications.`

async function send(
  parts: SubscriptionParts,
  row: SubscriptionRow,
  owner: Owner,
  { message, id, base }: { message: Message; id: string; base: string },
): Promise<MailSent> {
  const token = row.channel === 'email' ? await linkToken(row, 'unsubscribe') : ''
  return sendMessage(parts, {
    row,
    message,
    id,
    now: parts.clock(),
    footer: {
      reason: reasonOf(row, owner),
      settingsUrl: base + owner.settingsPath,
      unsubscribeUrl: base + mailLinkPath(token),
    },
    oneClickUrl: `${base}/x/v1/notification-links/${token}`,
  })
}

type Values = Partial<Omit<SubscriptionRow, 'id'>>

/**
 * Ends the claim with new values, and tells the readers of the subscription. If the subscription
 * was changed meanwhile, the time of the next message is that of the change.
 */
async function finish(
  { database, clock }: SubscriptionParts,
  step: Step<'notification_subscription'>,
  row: SubscriptionRow,
  { values, at }: { values: Values; at: Date | null },
): Promise<void> {
  const shown = ['problem', 'time_last_sent', 'time_confirmed'] as const
  const isShown = shown.some((column) => column in values && values[column] !== row[column])
  await database.concurrently(async (tx) => {
    const unchanged = { time_modified: row.time_modified }
    if (!(await step.end(tx, at, { values, unchanged }))) {
      const { time_next_attempt: _, ...others } = values
      const changed = tx
        .updateTable('notification_subscription')
        .where('id', '=', row.id)
        .where('fence', '=', step.fence)
      await changed.set({ reconcile_at: clock().toISOString() }).execute()
      // A new address has nothing to do with this attempt.
      await changed.set(others).where('link_key', '=', row.link_key).execute()
    }
    if (isShown) await emitSubscription(writingIn(tx, clock()), 'update', row)
  })
}

async function reconcileSubscription(
  parts: SubscriptionParts,
  step: Step<'notification_subscription'>,
  row: SubscriptionRow,
): Promise<void> {
  const { database, clock } = parts
  const { db } = database
  const owner = await ownerOf(db, row)
  // Housekeeping removes it.
  if (!owner) return step.end(db, null)
  const now = clock()
  const rest = restOf(row, now)
  if (rest) return step.end(db, rest)
  const base = consoleOf(parts.settings, owner.siloName)
  if (row.time_confirmed === null) {
    if (row.time_asked !== null) return step.end(db, null)
    const asked = await ask(parts, row, owner, base)
    if (asked === 'cut_off') return step.end(db, now)
    const values = after(row, asked, now)
    if (asked !== 'sent') {
      return finish(parts, step, row, { values, at: new Date(values.time_next_attempt) })
    }
    const time_asked = now.toISOString()
    return finish(parts, step, row, {
      values: { ...values, time_asked, time_next_attempt: null },
      at: null,
    })
  }
  const pending = await pendingOf(db, row, owner)
  const isTest = row.wants_test === 1
  if (pending.rows.length === 0 && !isTest) {
    const due = nextDigest(row, now)
    const values = {
      sent_until: pending.until,
      time_next_attempt: due?.toISOString() ?? null,
    }
    return finish(parts, step, row, { values, at: due })
  }
  const { rows, more } = isTest ? { rows: [], more: 0 } : pending
  const message: Message = {
    items: rows.map((one) => itemOf(one, owner, base)),
    more,
    url: base + owner.path,
    isTest,
  }
  const id = isTest ? `${row.id}.test.${row.fence}` : `${row.id}.${pending.until}`
  const sent = await send(parts, row, owner, { message, id, base })
  if (sent === 'cut_off') return step.end(db, now)
  const values: Values & { time_next_attempt: string } = after(row, sent, clock())
  // A failed test shows its problem, and is not repeated.
  if (isTest) values.wants_test = 0
  if (sent === 'sent') {
    values.time_last_sent = clock().toISOString()
    if (!isTest) values.sent_until = pending.until
  }
  await finish(parts, step, row, { values, at: new Date(values.time_next_attempt) })
}

export const subscriptionReconciliation = (
  parts: SubscriptionParts,
): Reconciliation<'notification_subscription'> => ({
  table: 'notification_subscription',
  reconcile: (step, row) => reconcileSubscription(parts, step, row),
})

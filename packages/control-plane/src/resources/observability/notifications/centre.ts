/** The centre of a user: the readable notifications, and which of them were read. */
import type { Wire } from '@steading/api'
import { notificationTopics, type NotificationTopicName, UNREAD_COUNTED } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Page, pageByTime, type ResultsPage } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { rowsIn, sourcesFor } from './readable.ts'
import { type NotificationReaderTable, readerTopicsColumn } from './table.ts'
import { type NotificationRow, toWireNotification } from './wire.ts'

interface Reader {
  readUntil: string
  topics: NotificationTopicName[]
}

async function readerOf(db: Db, userId: string): Promise<Reader> {
  const row = await db
    .selectFrom('silo_user as user')
    .leftJoin('notification_reader as its', 'its.user_id', 'user.id')
    .select(['user.time_created', 'its.read_until', 'its.topics'])
    .where('user.id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    readUntil: row.read_until ?? row.time_created,
    topics: row.topics ? readerTopicsColumn.read(row.topics) : [...notificationTopics],
  }
}

const newReader = (userId: string): NotificationReaderTable => ({
  user_id: userId,
  read_until: null,
  topics: null,
  confirmations: 0,
  confirmations_day: '',
})

/** Writes some of the facts about a reader. */
export async function writeReader(
  db: Db,
  userId: string,
  values: Partial<NotificationReaderTable>,
): Promise<void> {
  await db
    .insertInto('notification_reader')
    .values({ ...newReader(userId), ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** True of the unread ones of the rows `its`. */
const isUnread = (userId: string, { readUntil }: Reader): RawBuilder<boolean> =>
  sql<boolean>`(its.time > ${readUntil} and not exists (
    select 1 from notification_read as mark
    where mark.user_id = ${userId} and mark.notification_id = its.id and mark.time_read >= its.time))`

const ofTopics = (topics: readonly NotificationTopicName[]): RawBuilder<boolean> =>
  topics.length === notificationTopics.length
    ? sql<boolean>`1 = 1`
    : sql<boolean>`its.topic in (${sql.join(['', ...topics])})`

type Reading = Pick<Work, 'db' | 'actor'>

/** The rows of the centre of a user, as a table `its`. */
const centreRows = (db: Db, actor: Actor) =>
  db.selectFrom(sql<NotificationRow>`(${rowsIn(sourcesFor(actor, 'mine'))})`.as<'its'>('its'))

export async function pageOfNotifications(
  { db, actor }: Reading,
  page: Page,
  filters: { unread?: boolean | undefined; topics?: NotificationTopicName[] | undefined },
): Promise<ResultsPage<Wire.Notification>> {
  const reader = await readerOf(db, actor.userId)
  const unread = isUnread(actor.userId, reader)
  const topics = filters.topics?.filter((topic) => reader.topics.includes(topic)) ?? reader.topics
  let rows = centreRows(db, actor)
    .selectAll('its')
    .select(sql<number>`case when ${unread} then 1 else 0 end`.as('unread'))
    .where(ofTopics(topics))
  if (filters.unread === true) rows = rows.where(unread)
  if (filters.unread === false) rows = rows.where((eb) => eb.not(unread))
  const columns = { time: 'its.time', id: 'its.id' }
  return pageByTime(
    page,
    rows,
    columns,
    ({ time }) => time,
    (row) => toWireNotification(row, actor.siloId),
  )
}

export async function countUnread({ db, actor }: Reading): Promise<Wire.UnreadNotifications> {
  const reader = await readerOf(db, actor.userId)
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from (${rowsIn(sourcesFor(actor, 'mine'))}) as its
    where ${isUnread(actor.userId, reader)} and ${ofTopics(reader.topics)}
    limit ${UNREAD_COUNTED + 1}) as counted`.execute(db)
  const count = Number(rows[0]!.count)
  return { count: Math.min(count, UNREAD_COUNTED), more: count > UNREAD_COUNTED }
}

/** Tells the other windows of a user that notifications were read. */
const emitRead = ({ emit, actor: { userId, siloId } }: Pick<Work, 'emit' | 'actor'>) =>
  emit('silo_notification', 'update', { id: userId, name: '', silo_id: siloId, user_id: userId })

/** Marks those of the given notifications as read that the user may read. */
export async function markRead(work: Pick<Work, 'db' | 'actor' | 'emit'>, ids: readonly string[]) {
  const { db, actor } = work
  if (ids.length === 0) return
  const readable = await centreRows(db, actor)
    .select(['its.id', 'its.time'])
    .where('its.id', 'in', ids)
    .execute()
  if (readable.length === 0) return
  await db
    .insertInto('notification_read')
    .values(
      readable.map(({ id, time }) => ({
        user_id: actor.userId,
        notification_id: id,
        time_read: time,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'notification_id'])
        .doUpdateSet((eb) => ({ time_read: eb.ref('excluded.time_read') })),
    )
    .execute()
  await emitRead(work)
}

/** The newest time of a user's notifications, which is in the future if the clock was set back. */
async function newestTime(db: Db, actor: Actor): Promise<string> {
  const newest = await centreRows(db, actor)
    .select('its.time')
    .orderBy('its.time', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.time ?? ''
}

/** Marks all notifications up to a time as read, but none that are announced later. */
export async function markAllRead(
  work: Pick<Work, 'db' | 'actor' | 'emit' | 'now'>,
  until: Date,
): Promise<void> {
  const { db, actor, now } = work
  const { readUntil } = await readerOf(db, actor.userId)
  const wanted = until.toISOString()
  const latest = [now.toISOString(), await newestTime(db, actor)].toSorted().at(-1)!
  const time = wanted < latest ? wanted : latest
  if (time > readUntil) await writeReader(db, actor.userId, { read_until: time })
  await db
    .deleteFrom('notification_read')
    .where('user_id', '=', actor.userId)
    .where('time_read', '<=', time)
    .execute()
  await emitRead(work)
}

export const topicsOf = async ({ db, actor }: Reading): Promise<NotificationTopicName[]> =>
  (await readerOf(db, actor.userId)).topics

export async function writeTopics(
  work: Pick<Work, 'db' | 'actor' | 'emit'>,
  topics: readonly NotificationTopicName[],
): Promise<void> {
  const chosen = notificationTopics.filter((topic) => topics.includes(topic))
  await writeReader(work.db, work.actor.userId, {
    topics: chosen.length === notificationTopics.length ? null : readerTopicsColumn.write(chosen),
  })
  await emitRead(work)
}

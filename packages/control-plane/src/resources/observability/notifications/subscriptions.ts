/** Subscriptions: creating, changing and waking them. */
import type { Wire } from '@steading/api'
import {
  CONFIRMATIONS_A_DAY,
  NOTIFICATION_SUBSCRIPTIONS_MAX,
  notificationMessages,
} from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { readSetting } from '../../../kernel/db/setting.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Writing } from '../../../kernel/work.ts'
import { writeReader } from './centre.ts'
import { notificationTopicsColumn } from './table.ts'
import type { NotificationRow, SubscriptionRow } from './wire.ts'

export const SEQUENCE = 'notification_sequence'

/**
 * Number of the last announcement. It rises in the order of commits, because transactions that
 * announce run alone.
 */
export const lastSequence = async (db: Db): Promise<number> =>
  Number((await readSetting(db, SEQUENCE)) ?? 0)

/** Sets the alarm of a subscription, unless it has an earlier one. */
export const alarmAt = (time: string) =>
  sql<string>`case when reconcile_at < ${time} then reconcile_at else ${time} end`

/**
 * Sets the alarms of the subscriptions that some announcements may be for. Digests have alarms of
 * their own.
 */
export async function wakeSubscriptions(
  db: Db,
  announced: readonly NotificationRow[],
  now: Date,
): Promise<void> {
  const idsOf = (column: 'silo_id' | 'project_id') => [
    '',
    ...new Set(announced.flatMap((row) => row[column] ?? [])),
  ]
  const isOfSystem = announced.some(({ silo_id }) => silo_id === null)
  await db
    .updateTable('notification_subscription')
    .set({ reconcile_at: alarmAt(now.toISOString()) })
    .where('digest', '=', 'immediately')
    .where('time_confirmed', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('scope', '=', 'fleet'),
        eb('project_id', 'in', idsOf('project_id')),
        eb('scope_project_id', 'in', idsOf('project_id')),
        eb('scope', 'in', ['mine', 'silo']).and('silo_id', 'in', idsOf('silo_id')),
        ...(isOfSystem ? [eb('scope', '=', 'mine')] : []),
      ]),
    )
    .execute()
}

/** Records a change of a subscription, for its user or the readers of its project. */
export const emitSubscription = (
  { emit }: Pick<Writing, 'emit'>,
  action: 'create' | 'update' | 'delete',
  { id, user_id, project_id, silo_id }: SubscriptionRow,
): Promise<void> =>
  project_id
    ? emit('project_notification_subscription', action, { id, name: '', silo_id, project_id })
    : emit('notification_subscription', action, { id, name: '', silo_id, user_id })

/** The subscriptions of a user or a project, the oldest first. */
export const subscriptionsOf = (db: Db, owner: { user_id: string } | { project_id: string }) => {
  const [[column, id]] = Object.entries(owner) as [['user_id' | 'project_id', string]]
  return db
    .selectFrom('notification_subscription as its')
    .leftJoin('project', 'project.id', 'its.scope_project_id')
    .selectAll('its')
    .select('project.name as scope_project_name')
    .where(`its.${column}`, '=', id)
    .orderBy('its.time_created')
    .orderBy('its.id')
    .execute()
}

/** @throws ApiError 400 without any topic */
export function topicsColumn(topics: readonly Wire.NotificationTopic[]): string {
  if (topics.length === 0) throw fail.invalidRequest(notificationMessages.noTopics)
  return notificationTopicsColumn.write([...new Set(topics)])
}

/** @throws ApiError 400 if the owner has the maximum number */
export function requireRoom(others: readonly unknown[]): void {
  if (others.length >= NOTIFICATION_SUBSCRIPTIONS_MAX) {
    throw fail.invalidRequest(notificationMessages.tooMany)
  }
}

/**
 * Counts a mail that asks a stranger to confirm an address.
 * @throws ApiError 429 for too many on one day
 */
export async function countConfirmation(db: Db, userId: string, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  const row = await db
    .selectFrom('notification_reader')
    .select(['confirmations', 'confirmations_day'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const before = row?.confirmations_day === day ? Number(row.confirmations) : 0
  if (before >= CONFIRMATIONS_A_DAY) {
    throw fail.tooManyRequests(notificationMessages.tooManyConfirmations)
  }
  await writeReader(db, userId, { confirmations: before + 1, confirmations_day: day })
}

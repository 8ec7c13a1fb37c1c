/** Links for one use: making, finding and ending them. */
import { USER_LINK_BYTES, type UserLinkPurpose, userLinkValidMs } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { digest, randomToken } from '../../../kernel/secrets.ts'
import type { Writing } from '../../../kernel/work.ts'
import { userChanged } from '../users/create.ts'
import type { UserLinkTable } from './table.ts'

export type UserLinkRow = Selectable<UserLinkTable>

/** A new secret, and the digest by which it is stored. */
export async function newSecret(): Promise<{ token: string; token_hash: string }> {
  const token = randomToken(USER_LINK_BYTES)
  return { token, token_hash: await digest(token) }
}

/** The links that a new one of a purpose replaces. */
const replacedBy = (db: Db, userId: string, purpose: UserLinkPurpose) =>
  db
    .deleteFrom('user_link')
    .where('user_id', '=', userId)
    .where('purpose', purpose === 'address' ? '=' : '<>', 'address')

/** Ends the link with which a user could set a password. */
export async function endPasswordLink(db: Db, userId: string): Promise<void> {
  await replacedBy(db, userId, 'password').execute()
}

/** Ends all links of a user, and forgets the mail address. */
export async function forgetLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('user_link').where('user_id', '=', userId).execute()
  await db.deleteFrom('user_mail').where('user_id', '=', userId).execute()
}

interface NewLink {
  purpose: UserLinkPurpose
  /** To send it there; the caller wakes the reconciler after the commit. */
  address?: string
  /** Of a link that is handed over. */
  token_hash?: string
}

/** Makes a link, which replaces the earlier one, in an exclusive transaction. */
export async function createLink(
  writing: Writing,
  user: Row<'silo_user'>,
  { purpose, address, token_hash }: NewLink,
): Promise<UserLinkRow> {
  const { db, now } = writing
  await replacedBy(db, user.id, purpose).execute()
  const time = now.toISOString()
  const row = {
    id: crypto.randomUUID(),
    user_id: user.id,
    purpose,
    token_hash: token_hash ?? null,
    address: address ?? null,
    time_expires: new Date(now.getTime() + userLinkValidMs[purpose]).toISOString(),
    time_sent: null,
    attempts: 0,
    problem: null,
    time_failed: null,
    time_next_attempt: null,
    time_created: time,
    reconcile_at: address === undefined ? null : time,
    ...unclaimed,
  }
  await db.insertInto('user_link').values(row).execute()
  await userChanged(writing, user, 'update')
  return row
}

export interface UserWithSilo {
  user: Row<'silo_user'>
  siloName: string
}

/**
 * The user of a link, or a user who has forgotten the password.
 * @returns undefined if the user is gone, or cannot have a password
 */
export async function linkedUser(
  db: Db,
  which: { id: string } | { siloId: string; name: string },
): Promise<UserWithSilo | undefined> {
  const rows = rowsOf(db, 'silo_user')
    .selectAll('its')
    .where('its.is_service', '=', 0)
    .where('its.time_deactivated', 'is', null)
  const user = await (
    'id' in which
      ? rows.where('its.id', '=', which.id)
      : rows.where('its.silo_id', '=', which.siloId).where('its.external_id', '=', which.name)
  ).executeTakeFirst()
  if (!user) return undefined
  const silo = await rowsOf(db, 'silo')
    .select('its.name')
    .where('its.id', '=', user.silo_id)
    .where('its.identity_mode', '=', 'local_only')
    .executeTakeFirst()
  return silo && { user, siloName: silo.name }
}

export interface FollowedLink extends UserWithSilo {
  row: UserLinkRow
}

/** The link with a secret; undefined for one that is unknown, used, replaced or expired. */
export async function followedLink(
  db: Db,
  token: string,
  now: Date,
): Promise<FollowedLink | undefined> {
  const row = await db
    .selectFrom('user_link')
    .selectAll()
    .where('token_hash', '=', await digest(token))
    .where('time_expires', '>', now.toISOString())
    .executeTakeFirst()
  const whose = row && (await linkedUser(db, { id: row.user_id }))
  return whose && { row, ...whose }
}

/**
 * Which user an identity provider means by a name. Users belong to their provider: the same name of
 * another provider of the silo is another user, unless an administrator links them.
 */
import { userIdentityMessages as messages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import type { UserIdentityTable } from './table.ts'

/** An identity provider of either kind. */
export interface LinkedProvider {
  id: string
  name: string
  silo_id: string
  type: 'saml' | 'oidc'
}

export const providerTables = {
  saml: 'saml_identity_provider',
  oidc: 'oidc_identity_provider',
} as const

/** The live providers of a silo, the oldest first. */
export async function providersOf(db: Db, siloId: string): Promise<LinkedProvider[]> {
  const all = []
  for (const type of ['saml', 'oidc'] as const) {
    const rows = await rowsOf(db, providerTables[type] as 'saml_identity_provider')
      .select(['its.id', 'its.name', 'its.silo_id', 'its.time_created'])
      .where('its.silo_id', '=', siloId)
      .execute()
    all.push(...rows.map((row) => ({ ...row, type })))
  }
  return all.toSorted((a, b) => (`${a.time_created}${a.id}` < `${b.time_created}${b.id}` ? -1 : 1))
}

const live = (alias: string) => sql<boolean>`exists (
    select 1 from saml_identity_provider as saml
    where saml.id = ${sql.ref(`${alias}.provider_id`)} and saml.time_deleted is null
  ) or exists (
    select 1 from oidc_identity_provider as oidc
    where oidc.id = ${sql.ref(`${alias}.provider_id`)} and oidc.time_deleted is null
  )`

/**
 * Links the users of a silo to a provider, except those of another provider that still exists. A
 * name that several users have is not linked, as it may mean either of them.
 * @returns the number of linked users
 */
export async function adoptUsers(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  { id, silo_id }: Pick<LinkedProvider, 'id' | 'silo_id'>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into user_identity (provider_id, name, user_id, time_created)
    select ${id}, its.external_id, its.id, ${now.toISOString()}
    from silo_user as its
    where its.silo_id = ${silo_id} and its.time_deleted is null and its.is_service = 0
      and not exists (
        select 1 from user_identity as has where has.user_id = its.id and (${live('has')}))
      and not exists (
        select 1 from silo_user as other
        where other.silo_id = its.silo_id and other.external_id = its.external_id
          and other.id <> its.id and other.time_deleted is null and other.is_service = 0)
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Links the users of a silo to a new provider, if the silo has no other. */
export async function adoptIfOnly(
  writing: Pick<Writing, 'db' | 'now'>,
  provider: Pick<LinkedProvider, 'id' | 'silo_id'>,
): Promise<void> {
  const all = await providersOf(writing.db, provider.silo_id)
  if (all.length === 1) await adoptUsers(writing, provider)
}

/**
 * The user whom a provider names; undefined if the name is new there.
 * @param anyCase whether names that differ in upper and lower case only mean the same user
 * @throws ApiError 400 if it is not certain whom the name means
 */
export async function userNamed(
  db: Db,
  provider: Pick<LinkedProvider, 'id' | 'silo_id'>,
  name: string,
  anyCase: boolean,
): Promise<Row<'silo_user'> | undefined> {
  let rows = rowsOf(db, 'silo_user')
    .innerJoin('user_identity as link', 'link.user_id', 'its.id')
    .selectAll('its')
    .select('link.name as linked_name')
    .where('link.provider_id', '=', provider.id)
  rows = anyCase
    ? rows.where(sql`lower(link.name)`, '=', sql`lower(${name})`)
    : rows.where('link.name', '=', name)
  const found = await rows.limit(100).execute()
  const exact = found.find(({ linked_name }) => linked_name === name)
  const users = new Set(found.map(({ id }) => id))
  if (!exact && users.size > 1) throw fail.invalidRequest(messages.several(name))
  const user = exact ?? found[0]
  if (user) {
    const { linked_name: _, ...row } = user
    return row
  }
  const unlinked = await rowsOf(db, 'silo_user')
    .select('its.id')
    .where('its.silo_id', '=', provider.silo_id)
    .where('its.external_id', '=', name)
    .where('its.is_service', '=', 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_identity as link')
            .select('link.name')
            .whereRef('link.user_id', '=', 'its.id'),
        ),
      ),
    )
    .executeTakeFirst()
  if (unlinked) throw fail.invalidRequest(messages.unlinked(name))
  return undefined
}

/**
 * Links a user to a provider by a name; does nothing if the user has it already.
 * @throws ApiError 400 if another user has the name at the provider
 */
export async function linkUser(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  provider: Pick<LinkedProvider, 'id'>,
  { userId: user_id, name }: { userId: string; name: string },
): Promise<UserIdentityTable> {
  const found = await db
    .selectFrom('user_identity')
    .selectAll()
    .where('provider_id', '=', provider.id)
    .where('name', '=', name)
    .executeTakeFirst()
  if (found && found.user_id !== user_id) throw fail.invalidRequest(messages.taken(name))
  if (found) return found
  const link = { provider_id: provider.id, name, user_id, time_created: now.toISOString() }
  await db.insertInto('user_identity').values(link).execute()
  return link
}

/**
 * Renames a user at the providers that know them by the former name.
 * @throws ApiError 400 if another user has the new name there
 */
export async function renameIdentities(
  db: Db,
  userId: string,
  former: string,
  name: string,
): Promise<void> {
  const taken = await db
    .selectFrom('user_identity as its')
    .innerJoin('user_identity as other', 'other.provider_id', 'its.provider_id')
    .select('other.user_id')
    .where('its.user_id', '=', userId)
    .where('its.name', '=', former)
    .where('other.name', '=', name)
    .where('other.user_id', '!=', userId)
    .executeTakeFirst()
  if (taken) throw fail.invalidRequest(messages.taken(name))
  await db
    .updateTable('user_identity')
    .set({ name })
    .where('user_id', '=', userId)
    .where('name', '=', former)
    .execute()
}

/**
 * Unlinks a user from all providers, or from one, whose names are free then.
 * @returns whether there was a link
 */
export async function unlinkUser(db: Db, userId: string, providerId?: string): Promise<boolean> {
  let rows = db.deleteFrom('user_identity').where('user_id', '=', userId)
  if (providerId !== undefined) rows = rows.where('provider_id', '=', providerId)
  const removed = await rows.returning('name').execute()
  return removed.length > 0
}

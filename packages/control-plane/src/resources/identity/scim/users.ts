/** Users in SCIM: reading and writing them. */
import { scimMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { linkUser, providersOf } from '../user-identities/identities.ts'
import { createUser, type NewUser } from '../users/create.ts'
import { updateUser } from '../users/update.ts'
import { userType } from './attributes.ts'
import { notFound } from './errors.ts'
import { inPieces } from './pieces.ts'
import { type Call, locationOf, resourceOf } from './resource.ts'
import { requiredText, type Values } from './values.ts'
import { scimProfile } from './table.ts'

export const userKey = (userName: string): string => userName.toLowerCase()

/** A user with the columns only SCIM has. */
export type UserRow = Row<'silo_user'> & { profile: string | null }

/** The users of a silo. */
export const usersOf = (db: Db, siloId: string) =>
  rowsOf(db, 'silo_user')
    .leftJoin('scim_user as scim', 'scim.user_id', 'its.id')
    .where('its.silo_id', '=', siloId)
    .where('its.is_service', '=', 0)

/** @throws ApiError 404 */
export async function requireUser(db: Db, siloId: string, id: string): Promise<UserRow> {
  const user = await usersOf(db, siloId)
    .selectAll('its')
    .select('scim.profile')
    .where('its.id', '=', id.toLowerCase())
    .executeTakeFirst()
  if (!user) throw notFound(userType.name, id)
  return user
}

interface Membership {
  user_id: string
  id: string
  display_name: string
}

/** User → groups. */
async function groupsByUser(
  db: Db,
  userIds: readonly string[],
): Promise<Map<string, Membership[]>> {
  const groups = new Map<string, Membership[]>()
  for (const ids of inPieces(userIds)) {
    const rows = await rowsOf(db, 'silo_group')
      .innerJoin('silo_group_membership as member', 'member.group_id', 'its.id')
      .select(['member.user_id', 'its.id', 'its.display_name'])
      .where('member.user_id', 'in', ids)
      .orderBy('its.id')
      .execute()
    for (const row of rows) groups.set(row.user_id, [...(groups.get(row.user_id) ?? []), row])
  }
  return groups
}

/** The attributes of a user that clients may write. */
export const userValues = (user: UserRow): Values => ({
  userName: user.external_id,
  ...(user.provider_key === null ? {} : { externalId: user.provider_key }),
  ...(scimProfile.read(user.profile ?? '{}') as Values),
  active: user.time_deactivated === null,
})

function toScimUser(call: Call, user: UserRow, memberships: readonly Membership[]): Values {
  const { externalId: _, ...values } = userValues(user)
  const groups = memberships.map(({ id, display_name }) => ({
    value: id,
    $ref: locationOf(call, 'Groups', id),
    display: display_name,
    type: 'direct',
  }))
  const shown = { ...values, ...(groups.length > 0 ? { groups } : {}) }
  const version = JSON.stringify([user.time_modified, user.provider_key, shown])
  return resourceOf(call, userType, { ...user, externalId: user.provider_key }, shown, version)
}

/** The SCIM form of users, with one query for all of their groups. */
export async function toScimUsers(call: Call, users: readonly UserRow[]): Promise<Values[]> {
  const groups = await groupsByUser(call.db, idsIn(users))
  return users.map((user) => toScimUser(call, user, groups.get(user.id) ?? []))
}

/** @throws ApiError 409 if another user of the silo has the name, case-insensitively */
async function requireFreeUserName(
  db: Db,
  siloId: string,
  userName: string,
  besides?: string,
): Promise<void> {
  const other = await rowsOf(db, 'silo_user')
    .select('its.id')
    .where('its.silo_id', '=', siloId)
    .where((eb) =>
      eb.or([
        eb('its.user_name_key', '=', userKey(userName)),
        eb('its.external_id', '=', userName),
      ]),
    )
    .where('its.id', '!=', besides ?? '')
    .executeTakeFirst()
  if (other) throw fail.scim(409, 'uniqueness', scimMessages.taken('username', userName))
}

/** The columns and the profile of a user, from the attributes that a client has sent. */
function columnsOf({ userName, externalId = null, active, ...profile }: Values) {
  const name = requiredText(userName, 'userName')
  return {
    user: {
      external_id: name,
      display_name: name,
      user_name_key: userKey(name),
      provider_key: externalId as string | null,
      active: active as boolean | undefined,
    } satisfies Partial<NewUser>,
    profile: scimProfile.write(profile),
  }
}

async function writeProfile({ db }: Pick<Work, 'db'>, user_id: string, profile: string) {
  await db
    .insertInto('scim_user')
    .values({ user_id, profile })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ profile }))
    .execute()
}

export async function makeUser(work: Work, siloId: string, values: Values): Promise<UserRow> {
  const { user, profile } = columnsOf(values)
  await requireFreeUserName(work.db, siloId, user.external_id)
  const made = await createUser(work, { silo_id: siloId, ...user })
  // Users of the directory sign in through the oldest provider of the silo.
  const [first] = await providersOf(work.db, siloId)
  if (first) await linkUser(work, first, { userId: made.id, name: made.external_id })
  await writeProfile(work, made.id, profile)
  return { ...made, profile }
}

/** Changes the attributes of a user. Writes nothing if they are the same. */
export async function changeUser(work: Work, before: UserRow, values: Values): Promise<UserRow> {
  const { profile: profileBefore, ...row } = before
  const { user, profile } = columnsOf(values)
  const wasActive = row.time_deactivated === null
  const { active = wasActive, ...columns } = user
  const isSame =
    active === wasActive &&
    profile === (profileBefore ?? '{}') &&
    (Object.keys(columns) as (keyof typeof columns)[]).every((name) => columns[name] === row[name])
  if (isSame) return before
  if (user.external_id !== row.external_id) {
    await requireFreeUserName(work.db, row.silo_id, user.external_id, row.id)
  }
  // Deactivating an inactive user again must not remove memberships added meanwhile.
  const switched = active === wasActive ? {} : { active }
  const changed = await updateUser(work, row, { ...columns, ...switched })
  await writeProfile(work, row.id, profile)
  return { ...changed, profile }
}

/** The conditions on users for each attribute of a filter. */
type Users = ReturnType<typeof usersOf>
export const userConditions = {
  id: (rows: Users, value: string) => rows.where('its.id', '=', value.toLowerCase()),
  userName: (rows: Users, value: string) => rows.where('its.user_name_key', '=', userKey(value)),
  externalId: (rows: Users, value: string) => rows.where('its.provider_key', '=', value),
}

/** The number of rows of a query. */
export const countOf = sql<number>`count(*)`

/**
 * Membership of users in groups. Each group whose members change emits an event. All functions read
 * before they write, so they need a transaction that runs alone.
 */
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow, countRowsBy } from '../../../kernel/db/rows.ts'
import { groupChanged } from './create.ts'

type Group = Pick<Row<'silo_group'>, 'id' | 'display_name' | 'silo_id'>

/** Rows per statement; databases limit its parameters. */
const AT_ONCE = 1_000

const chunks = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
    all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )

const membersOf = (db: Db, groupId: string) =>
  db.selectFrom('silo_group_membership').select('user_id').where('group_id', '=', groupId)

/** The users, of those given, who are in a group. */
async function membersAmong(db: Db, groupId: string, userIds: string[]): Promise<Set<string>> {
  const members = new Set<string>()
  for (const ids of chunks(userIds)) {
    const rows = await membersOf(db, groupId).where('user_id', 'in', ids).execute()
    for (const { user_id } of rows) members.add(user_id)
  }
  return members
}

/** Emits the event for changed members of a group. */
async function membersChanged(writing: Writing, group: Group): Promise<void> {
  await changeRow(writing.db, 'silo_group', group.id, { time_modified: writing.now.toISOString() })
  await groupChanged(writing, group, 'update')
}

/**
 * Adds users of the same silo to a group, and removes others from it. Present members to add, and
 * non-members to remove, are left alone.
 */
export async function changeMembers(
  writing: Writing,
  group: Group,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): Promise<void> {
  const { db } = writing
  const present = await membersAmong(db, group.id, [...add, ...remove])
  const added = [...new Set(add)].filter((id) => !present.has(id))
  const removed = [...new Set(remove)].filter((id) => present.has(id))
  for (const ids of chunks(removed)) {
    await db
      .deleteFrom('silo_group_membership')
      .where('group_id', '=', group.id)
      .where('user_id', 'in', ids)
      .execute()
  }
  for (const ids of chunks(added)) {
    await db
      .insertInto('silo_group_membership')
      .values(ids.map((user_id) => ({ group_id: group.id, user_id })))
      .execute()
  }
  if (added.length + removed.length > 0) await membersChanged(writing, group)
}

/** Makes exactly these users the members of a group. */
export async function setMembers(
  writing: Writing,
  group: Group,
  userIds: readonly string[],
): Promise<void> {
  const wanted = new Set(userIds)
  const present = await membersOf(writing.db, group.id).execute()
  const remove = present.map(({ user_id }) => user_id).filter((id) => !wanted.has(id))
  await changeMembers(writing, group, { add: userIds, remove })
}

/** Group → number of its members; groups without any are left out. */
export const countMembers = async (db: Db, groupIds: string[]): Promise<Map<string, number>> =>
  groupIds.length === 0
    ? new Map()
    : countRowsBy(
        db.selectFrom('silo_group_membership').where('group_id', 'in', groupIds),
        'group_id',
      )

/** The groups of a user. */
export const groupsOf = (db: Db, userId: string) =>
  rowsOf(db, 'silo_group')
    .innerJoin('silo_group_membership as member', 'member.group_id', 'its.id')
    .selectAll('its')
    .where('member.user_id', '=', userId)

/** Makes a user a member of exactly these groups. */
export async function setGroups(
  writing: Writing,
  userId: string,
  groups: readonly Group[],
): Promise<void> {
  const wanted = new Set(groups.map(({ id }) => id))
  for (const group of await groupsOf(writing.db, userId).execute()) {
    if (!wanted.delete(group.id)) await changeMembers(writing, group, { remove: [userId] })
  }
  for (const group of groups) {
    if (wanted.has(group.id)) await changeMembers(writing, group, { add: [userId] })
  }
}

export const leaveGroups = (writing: Writing, userId: string): Promise<void> =>
  setGroups(writing, userId, [])

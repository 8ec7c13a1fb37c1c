/** Groups in SCIM: reading and writing them. */
import { SCIM_PAGE_MEMBERS, scimMessages } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { createGroup } from '../groups/create.ts'
import { deleteGroup } from '../groups/delete.ts'
import { changeMembers, setMembers } from '../groups/members.ts'
import { updateGroup } from '../groups/update.ts'
import { removeAssignments } from '../policies/remove-assignments.ts'
import { setSiloAdmin } from './admin-group.ts'
import { groupType } from './attributes.ts'
import { bad, notFound } from './errors.ts'
import type { MemberChange } from './members.ts'
import { inPieces } from './pieces.ts'
import { type Call, locationOf, resourceOf } from './resource.ts'
import { isWanted, type Selection } from './selection.ts'
import { requiredText, type Values } from './values.ts'

export type GroupRow = Row<'silo_group'>

const groupKey = (displayName: string): string => displayName.toLowerCase()

/** The groups of a silo. */
export const groupsOf = (db: Db, siloId: string) =>
  rowsOf(db, 'silo_group').where('its.silo_id', '=', siloId)

/** @throws ApiError 404 */
export async function requireGroup(db: Db, siloId: string, id: string): Promise<GroupRow> {
  const group = await groupsOf(db, siloId)
    .selectAll('its')
    .where('its.id', '=', id.toLowerCase())
    .executeTakeFirst()
  if (!group) throw notFound(groupType.name, id)
  return group
}

/** The first of the given groups whose members fit into a page; at least one. */
async function fitting(db: Db, groups: readonly GroupRow[]): Promise<GroupRow[]> {
  const ids = groups.map(({ id }) => id)
  const sizes = new Map<string, number>()
  for (const piece of inPieces(ids)) {
    const rows = await db
      .selectFrom('silo_group_membership')
      .select((eb) => ['group_id', eb.fn.countAll().as('size')])
      .where('group_id', 'in', piece)
      .groupBy('group_id')
      .execute()
    for (const { group_id, size } of rows) sizes.set(group_id, Number(size))
  }
  let members = 0
  return groups.filter(({ id }, index) => {
    const isFull = index > 0 && members >= SCIM_PAGE_MEMBERS
    members += sizes.get(id) ?? 0
    return !isFull
  })
}

interface Member {
  group_id: string
  id: string
  external_id: string
}

async function membersByGroup(db: Db, groupIds: readonly string[]): Promise<Map<string, Member[]>> {
  const members = new Map<string, Member[]>()
  for (const piece of inPieces(groupIds)) {
    const rows = await rowsOf(db, 'silo_user')
      .innerJoin('silo_group_membership as member', 'member.user_id', 'its.id')
      .select(['member.group_id', 'its.id', 'its.external_id'])
      .where('member.group_id', 'in', piece)
      .orderBy('member.group_id')
      .orderBy('member.user_id')
      .execute()
    for (const row of rows) {
      const known = members.get(row.group_id)
      if (known) known.push(row)
      else members.set(row.group_id, [row])
    }
  }
  return members
}

function toScimGroup(call: Call, group: GroupRow, members: readonly Member[] | undefined): Values {
  const shown = members?.map(({ id, external_id }) => ({
    value: id,
    $ref: locationOf(call, 'Users', id),
    display: external_id,
    type: 'User',
  }))
  // Changes of the members also set the group's time, so that its version can be computed without
  // them.
  const version = JSON.stringify([group.time_modified, group.display_name, group.provider_key])
  return resourceOf(
    call,
    groupType,
    { ...group, externalId: group.provider_key },
    { displayName: group.display_name, ...(shown ? { members: shown } : {}) },
    version,
  )
}

/**
 * The SCIM form of groups, with one query for all of their members, if these are wanted at all.
 * @returns fewer groups than given if they have too many members for one answer
 */
export async function toScimGroups(
  call: Call,
  groups: readonly GroupRow[],
  selection: Selection,
): Promise<Values[]> {
  if (!isWanted(selection, 'members')) {
    return groups.map((group) => toScimGroup(call, group, undefined))
  }
  const shown = await fitting(call.db, groups)
  const members = await membersByGroup(call.db, idsIn(shown))
  return shown.map((group) => toScimGroup(call, group, members.get(group.id) ?? []))
}

/** @throws ApiError 409 if another group of the silo has the name, case-insensitively */
async function requireFreeDisplayName(
  db: Db,
  siloId: string,
  displayName: string,
  besides?: string,
): Promise<void> {
  const other = await groupsOf(db, siloId)
    .select('its.id')
    .where((eb) =>
      eb.or([
        eb('its.display_name_key', '=', groupKey(displayName)),
        eb('its.display_name', '=', displayName),
      ]),
    )
    .where('its.id', '!=', besides ?? '')
    .executeTakeFirst()
  if (other) throw fail.scim(409, 'uniqueness', scimMessages.taken('displayName', displayName))
}

/** @throws ApiError 400 for a member who is not a user of the silo */
async function requireUsers(db: Db, siloId: string, ids: readonly string[]): Promise<void> {
  for (const piece of inPieces(ids)) {
    const rows = await rowsOf(db, 'silo_user')
      .select('its.id')
      .where('its.silo_id', '=', siloId)
      .where('its.is_service', '=', 0)
      .where('its.id', 'in', piece)
      .execute()
    const known = new Set(rows.map(({ id }) => id))
    const missing = piece.find((id) => !known.has(id))
    if (missing) throw bad('invalidValue', `members: there is no user with id ${missing}`)
  }
}

function columnsOf({ displayName, externalId = null }: Values) {
  const name = requiredText(displayName, 'displayName')
  return {
    display_name: name,
    display_name_key: groupKey(name),
    provider_key: externalId as string | null,
  }
}

export async function makeGroup(
  work: Work,
  siloId: string,
  values: Values,
  members: readonly string[],
): Promise<GroupRow> {
  const columns = columnsOf(values)
  await requireFreeDisplayName(work.db, siloId, columns.display_name)
  await requireUsers(work.db, siloId, members)
  const group = await createGroup(work, { silo_id: siloId, ...columns })
  await setMembers(work, group, members)
  await setSiloAdmin(work, group)
  return group
}

/** Changes the attributes and members of a group. Writes nothing if they are the same. */
export async function changeGroup(
  work: Work,
  before: GroupRow,
  values: Values,
  { keeps, add, remove }: MemberChange,
): Promise<void> {
  const columns = columnsOf(values)
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const isRenamed = columns.display_name !== before.display_name
  if (isRenamed) {
    await requireFreeDisplayName(work.db, before.silo_id, columns.display_name, before.id)
  }
  await requireUsers(work.db, before.silo_id, [...add])
  const isSame = names.every((name) => columns[name] === before[name])
  const group = isSame ? before : await updateGroup(work, before, columns)
  if (keeps) await changeMembers(work, group, { add: [...add], remove: [...remove] })
  else await setMembers(work, group, [...add])
  if (isRenamed) await setSiloAdmin(work, group, before)
}

export async function removeGroup(work: Work, group: GroupRow): Promise<void> {
  await deleteGroup(work, group)
  await removeAssignments(work, group.id, group.silo_id)
}

type Groups = ReturnType<typeof groupsOf>
/** The conditions on groups for each attribute of a filter. */
export const groupConditions = {
  id: (rows: Groups, value: string) => rows.where('its.id', '=', value.toLowerCase()),
  displayName: (rows: Groups, value: string) =>
    rows.where('its.display_name_key', '=', groupKey(value)),
  externalId: (rows: Groups, value: string) => rows.where('its.provider_key', '=', value),
  members: (rows: Groups, value: string) =>
    rows.where((eb) =>
      eb.exists(
        eb
          .selectFrom('silo_group_membership as member')
          .select('member.user_id')
          .whereRef('member.group_id', '=', 'its.id')
          .where('member.user_id', '=', value.toLowerCase()),
      ),
    ),
}

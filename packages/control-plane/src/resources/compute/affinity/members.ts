import type { Wire } from '@steading/api'
import {
  AFFINITY_GROUP_MAX_MEMBERS,
  INSTANCE_MAX_AFFINITY_GROUPS,
  instanceHasVm,
  kinds,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage, type Page, type ResultsPage } from '../../../kernel/paging.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { countRowsBy } from '../../../kernel/db/rows.ts'
import { type GroupKind, type GroupRow, type WireGroup, kindOf, toWireGroup } from './groups.ts'

type Listing = Pick<Work, 'db'> & { page: Page }
type WireMember = Wire.AffinityGroupMember & Wire.AntiAffinityGroupMember

const toWireMember = ({
  id,
  name,
  run_state,
}: Pick<Row<'instance'>, 'id' | 'name' | 'run_state'>): WireMember => ({
  type: 'instance',
  value: { id, name, run_state },
})

/** One page of the instances of a group, sorted like a list of instances. */
export async function listMembers(
  { db, page }: Listing,
  group: GroupRow,
): Promise<ResultsPage<WireMember>> {
  const query = db
    .selectFrom('affinity_group_member as member')
    .innerJoin('instance', 'instance.id', 'member.instance_id')
    .select(['instance.id', 'instance.name', 'instance.run_state'])
    .where('member.group_id', '=', group.id)
  return listPage(page, query, { name: 'instance.name', id: 'instance.id' }, toWireMember)
}

/** Id of a group → number of its members; groups without members are left out. */
export const memberCounts = async (db: Db, groupIds: string[]): Promise<Map<string, number>> =>
  groupIds.length === 0
    ? new Map()
    : countRowsBy(
        db.selectFrom('affinity_group_member').where('group_id', 'in', groupIds),
        'group_id',
      )

/** The groups of one kind that an instance is in. */
export async function listGroupsOf(
  { db, page }: Listing,
  kind: GroupKind,
  instance: Row<'instance'>,
): Promise<ResultsPage<WireGroup>> {
  const query = rowsOf(db, kind)
    .innerJoin('affinity_group_member as member', 'member.group_id', 'its.id')
    .selectAll('its')
    .where('member.instance_id', '=', instance.id)
  return listPage(page, query, { name: 'its.name', id: 'its.id' }, toWireGroup)
}

interface NamesMember {
  params: { instance: string }
  query: { project?: string }
}

/** The instance named in a path below a group; 404 for an instance of another project. */
async function lookupInstance(
  ctx: LookupContext<'instance'> & NamesMember,
  group: GroupRow,
): Promise<Row<'instance'>> {
  const instance = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
  if (instance.project_id !== group.project_id) throw fail.notFoundById('instance', instance.id)
  return instance
}

async function isMember(db: Db, group: GroupRow, instance: Row<'instance'>): Promise<boolean> {
  const row = await db
    .selectFrom('affinity_group_member')
    .select('group_id')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .executeTakeFirst()
  return row !== undefined
}

/** The instance named in a path, which has to be a member of the group. */
async function lookupMember(
  ctx: LookupContext<'instance'> & NamesMember,
  group: GroupRow,
): Promise<Row<'instance'>> {
  const instance = await lookupInstance(ctx, group)
  if (await isMember(ctx.db, group, instance)) return instance
  throw fail.notFoundById(`${kinds[kindOf(group)].type}-member`, instance.id)
}

export const findMember = async (
  ctx: LookupContext<'instance'> & NamesMember,
  group: GroupRow,
): Promise<WireMember> => toWireMember(await lookupMember(ctx, group))

/** Text with a capital letter, for the start of a sentence. */
const capitalized = (words: string): string => words[0]!.toUpperCase() + words.slice(1)

/**
 * @throws ApiError 400 if the group has its maximum of members, or the instance its maximum of
 *   groups
 */
async function requireRoom(db: Db, group: GroupRow, instance: Row<'instance'>): Promise<void> {
  const { words } = kinds[kindOf(group)]
  const members = await db
    .selectFrom('affinity_group_member')
    .select('instance_id')
    .where('group_id', '=', group.id)
    .execute()
  if (members.length >= AFFINITY_GROUP_MAX_MEMBERS) {
    throw fail.invalidRequest(
      `${capitalized(words)} already has maximum allowed members (${AFFINITY_GROUP_MAX_MEMBERS})`,
    )
  }
  const groups = await db
    .selectFrom('affinity_group_member as member')
    .innerJoin('affinity_group as its', 'its.id', 'member.group_id')
    .select('its.id')
    .where('member.instance_id', '=', instance.id)
    .where('its.kind', '=', group.kind)
    .execute()
  if (groups.length >= INSTANCE_MAX_AFFINITY_GROUPS) {
    throw fail.invalidRequest(
      `Instance already belongs to maximum allowed ${words}s (${INSTANCE_MAX_AFFINITY_GROUPS})`,
    )
  }
}

/** Adds an instance that has no sled yet to a group (control plane section 9). */
async function join(
  { db, emit }: Writing,
  group: GroupRow,
  instance: Row<'instance'>,
): Promise<void> {
  const { type, words } = kinds[kindOf(group)]
  await requireRoom(db, group, instance)
  if (instanceHasVm(instance.run_state)) {
    throw fail.invalidRequest(`Instance cannot be added to ${words} with reservation`)
  }
  if (await isMember(db, group, instance)) {
    throw fail.alreadyExists(`${type}-member`, instance.id)
  }
  await db
    .insertInto('affinity_group_member')
    .values({ group_id: group.id, instance_id: instance.id })
    .execute()
  await emit(kindOf(group), 'update', group)
}

export async function addMember(
  ctx: Writing & LookupContext<'instance'> & NamesMember,
  group: GroupRow,
): Promise<WireMember> {
  const instance = await lookupInstance(ctx, group)
  await join(ctx, group, instance)
  await ctx.emit('instance', 'update', instance)
  return toWireMember(instance)
}

/** Ends a membership, in any state of the instance. */
export async function removeMember(
  ctx: Writing & LookupContext<'instance'> & NamesMember,
  group: GroupRow,
): Promise<void> {
  const instance = await lookupMember(ctx, group)
  await ctx.db
    .deleteFrom('affinity_group_member')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .execute()
  await ctx.emit(kindOf(group), 'update', group)
  await ctx.emit('instance', 'update', instance)
}

/** Adds a new instance to the groups in the body; a group named twice is joined once. */
export async function joinGroups<K extends GroupKind>(
  work: Writing & LookupContext<K>,
  kind: K,
  instance: Row<'instance'>,
  selectors: readonly string[],
): Promise<void> {
  const joined = new Set<string>()
  for (const selector of selectors) {
    const inProject = ifNamed(selector, { project: instance.project_id })
    const group: GroupRow = await lookup(
      work as unknown as LookupContext<GroupKind>,
      kind as GroupKind,
      selector,
      inProject,
    )
    if (group.project_id !== instance.project_id) {
      throw fail.notFoundById(kinds[kind].type, group.id)
    }
    if (joined.has(group.id)) continue
    joined.add(group.id)
    await join(work, group, instance)
  }
}

/** Ends all memberships of a deleted instance. */
export async function leaveGroups({ db, emit }: Writing, instance: Row<'instance'>): Promise<void> {
  const groups = await db
    .selectFrom('affinity_group as its')
    .innerJoin('affinity_group_member as member', 'member.group_id', 'its.id')
    .selectAll('its')
    .where('member.instance_id', '=', instance.id)
    .execute()
  if (groups.length === 0) return
  await db.deleteFrom('affinity_group_member').where('instance_id', '=', instance.id).execute()
  for (const group of groups) await emit(kindOf(group), 'update', group)
}

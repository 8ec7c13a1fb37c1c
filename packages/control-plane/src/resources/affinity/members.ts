import type { Wire } from '@steading/api'
import {
  AFFINITY_GROUP_MAX_MEMBERS,
  INSTANCE_MAX_AFFINITY_GROUPS,
  instanceHasVm,
  isUuid,
} from '@steading/api/rules'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage, type ResultsPage } from '../../kernel/paging.ts'
import { instanceTouched } from '../instances/change.ts'
import type { InstanceRow } from '../instances/view.ts'
import { groupChanged, type GroupRow, type GroupView, viewGroup } from './groups.ts'
import { capitalized, type GroupKind, groupKinds } from './kinds.ts'

type MemberView = Wire.AffinityGroupMember & Wire.AntiAffinityGroupMember

const viewMember = ({
  id,
  name,
  run_state,
}: Pick<InstanceRow, 'id' | 'name' | 'run_state'>): MemberView => ({
  type: 'instance',
  value: { id, name, run_state },
})

/** The instances of a group, sorted as instances are. */
export async function listMembers(ctx: Context, group: GroupRow): Promise<ResultsPage<MemberView>> {
  const query = ctx.db
    .selectFrom('affinity_group_member as member')
    .innerJoin('instance', 'instance.id', 'member.instance_id')
    .select(['instance.id', 'instance.name', 'instance.run_state'])
    .where('member.group_id', '=', group.id)
  return listPage(ctx.page, query, { name: 'instance.name', id: 'instance.id' }, viewMember)
}

/** How many members groups have, by the id of the group; those that have none are not told. */
export async function memberCounts(db: Db, groupIds: string[]): Promise<Map<string, number>> {
  if (groupIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('affinity_group_member')
    .select(({ fn }) => ['group_id', fn.countAll<number>().as('count')])
    .where('group_id', 'in', groupIds)
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ group_id, count }) => [group_id, count]))
}

/** The groups of one kind an instance is in. */
export async function listGroupsOf(
  ctx: Context,
  kind: GroupKind,
  instance: InstanceRow,
): Promise<ResultsPage<GroupView>> {
  const query = ctx.db
    .selectFrom('affinity_group as its')
    .innerJoin('affinity_group_member as member', 'member.group_id', 'its.id')
    .selectAll('its')
    .where('member.instance_id', '=', instance.id)
    .where('its.kind', '=', kind)
  return listPage(ctx.page, query, { name: 'its.name', id: 'its.id' }, viewGroup)
}

interface NamesMember {
  params: { instance: string }
  query: { project?: string }
}

/** The instance a path names beside a group; one of another project is not there. */
async function lookupInstance(ctx: Context & NamesMember, group: GroupRow): Promise<InstanceRow> {
  const instance = await lookupChild(ctx, 'instance', ctx.params.instance, ctx.query)
  if (instance.project_id !== group.project_id) throw fail.notFoundById('instance', instance.id)
  return instance
}

async function isMember(ctx: Context, group: GroupRow, instance: InstanceRow): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('affinity_group_member')
    .select('group_id')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .executeTakeFirst()
  return row !== undefined
}

/** The instance a path names, as a member of a group. */
async function lookupMember(ctx: Context & NamesMember, group: GroupRow): Promise<InstanceRow> {
  const instance = await lookupInstance(ctx, group)
  if (await isMember(ctx, group, instance)) return instance
  throw fail.notFoundById(`${groupKinds[group.kind].type}-member`, instance.id)
}

export const viewOneMember = async (
  ctx: Context & NamesMember,
  group: GroupRow,
): Promise<MemberView> => viewMember(await lookupMember(ctx, group))

/** @throws ApiError 400 if the group, or the instance, has as many as it may */
async function requireRoom(ctx: Context, group: GroupRow, instance: InstanceRow): Promise<void> {
  const { words } = groupKinds[group.kind]
  const members = await ctx.db
    .selectFrom('affinity_group_member')
    .select('instance_id')
    .where('group_id', '=', group.id)
    .execute()
  if (members.length >= AFFINITY_GROUP_MAX_MEMBERS) {
    throw fail.invalidRequest(
      `${capitalized(words)} already has maximum allowed members (${AFFINITY_GROUP_MAX_MEMBERS})`,
    )
  }
  const groups = await ctx.db
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

/** Makes an instance that has no place yet a member of a group (control plane section 9). */
async function join(ctx: Context, group: GroupRow, instance: InstanceRow): Promise<void> {
  const { type, words } = groupKinds[group.kind]
  await requireRoom(ctx, group, instance)
  if (instanceHasVm(instance.run_state)) {
    throw fail.invalidRequest(`Instance cannot be added to ${words} with reservation`)
  }
  if (await isMember(ctx, group, instance)) {
    throw fail.alreadyExists(`${type}-member`, instance.id)
  }
  await ctx.db
    .insertInto('affinity_group_member')
    .values({ group_id: group.id, instance_id: instance.id })
    .execute()
  await groupChanged(ctx, group, 'update')
}

export async function addMember(ctx: Context & NamesMember, group: GroupRow): Promise<MemberView> {
  const instance = await lookupInstance(ctx, group)
  await join(ctx, group, instance)
  await instanceTouched(ctx, instance)
  return viewMember(instance)
}

/** Ends a membership, in whatever state the instance is. */
export async function removeMember(ctx: Context & NamesMember, group: GroupRow): Promise<void> {
  const instance = await lookupMember(ctx, group)
  await ctx.db
    .deleteFrom('affinity_group_member')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .execute()
  await groupChanged(ctx, group, 'update')
  await instanceTouched(ctx, instance)
}

/** Makes a new instance a member of the anti-affinity groups its creator names. */
export async function joinAntiAffinityGroups(
  ctx: Context,
  instance: InstanceRow,
  selectors: string[],
): Promise<void> {
  for (const selector of selectors) {
    const byId = isUuid(selector)
    const group = await ctx.db
      .selectFrom('affinity_group')
      .selectAll()
      .where('project_id', '=', instance.project_id)
      .where('kind', '=', 'anti_affinity')
      .where(byId ? 'id' : 'name', '=', byId ? selector.toLowerCase() : selector)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!group) {
      const { type } = groupKinds.anti_affinity
      throw byId ? fail.notFoundById(type, selector) : fail.notFoundByName(type, selector)
    }
    await join(ctx, group, instance)
  }
}

/** Ends all memberships of an instance that goes away. */
export async function leaveGroups(ctx: Context, instance: InstanceRow): Promise<void> {
  const groups = await ctx.db
    .selectFrom('affinity_group as its')
    .innerJoin('affinity_group_member as member', 'member.group_id', 'its.id')
    .selectAll('its')
    .where('member.instance_id', '=', instance.id)
    .execute()
  if (groups.length === 0) return
  await ctx.db.deleteFrom('affinity_group_member').where('instance_id', '=', instance.id).execute()
  for (const group of groups) await groupChanged(ctx, group, 'update')
}

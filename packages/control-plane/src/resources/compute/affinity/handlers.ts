import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { searchList } from '../../../kernel/list.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { createGroup, deleteGroup, listGroups, updateGroup, toWireGroup } from './groups.ts'
import { addMember, listGroupsOf, listMembers, removeMember, findMember } from './members.ts'

interface Named<Parameter extends string> {
  params: Record<Parameter, string>
  query: { project?: string }
}

const affinity = (ctx: LookupContext<'affinity_group'> & Named<'affinity_group'>) =>
  lookup(ctx, 'affinity_group', ctx.params.affinity_group, { project: ctx.query.project })
const antiAffinity = (ctx: LookupContext<'anti_affinity_group'> & Named<'anti_affinity_group'>) =>
  lookup(ctx, 'anti_affinity_group', ctx.params.anti_affinity_group, {
    project: ctx.query.project,
  })

const instance = (ctx: LookupContext<'instance'> & Named<'instance'>) =>
  lookup(ctx, 'instance', ctx.params.instance, { project: ctx.query.project })

/** The project for listing or creating groups. */
const projectId = async (ctx: LookupContext<'project'> & { query: { project?: string } }) =>
  (await lookup(ctx, 'project', ctx.query.project!)).id

/** Handlers of both kinds of groups: the same functions for two sets of paths. */
export const affinityHandlers: Handlers<typeof tables.affinityOperations> = {
  affinity_group_list: async (ctx) => listGroups(ctx, 'affinity_group', await projectId(ctx)),
  affinity_group_search: async (ctx) => searchList(ctx, 'affinity_group', await projectId(ctx)),
  affinity_group_create: async (ctx) =>
    createGroup(ctx, 'affinity_group', await projectId(ctx), ctx.body),
  affinity_group_view: async (ctx) => toWireGroup(await affinity(ctx)),
  affinity_group_update: async (ctx) => updateGroup(ctx, await affinity(ctx), ctx.body),
  affinity_group_delete: async (ctx) => deleteGroup(ctx, await affinity(ctx)),
  affinity_group_member_list: async (ctx) => listMembers(ctx, await affinity(ctx)),
  affinity_group_member_instance_view: async (ctx) => findMember(ctx, await affinity(ctx)),
  affinity_group_member_instance_add: async (ctx) => addMember(ctx, await affinity(ctx)),
  affinity_group_member_instance_delete: async (ctx) => removeMember(ctx, await affinity(ctx)),

  anti_affinity_group_list: async (ctx) =>
    listGroups(ctx, 'anti_affinity_group', await projectId(ctx)),
  anti_affinity_group_search: async (ctx) =>
    searchList(ctx, 'anti_affinity_group', await projectId(ctx)),
  anti_affinity_group_create: async (ctx) =>
    createGroup(ctx, 'anti_affinity_group', await projectId(ctx), ctx.body),
  anti_affinity_group_view: async (ctx) => toWireGroup(await antiAffinity(ctx)),
  anti_affinity_group_update: async (ctx) => updateGroup(ctx, await antiAffinity(ctx), ctx.body),
  anti_affinity_group_delete: async (ctx) => deleteGroup(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_list: async (ctx) => listMembers(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_instance_view: async (ctx) => findMember(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_instance_add: async (ctx) => addMember(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_instance_delete: async (ctx) =>
    removeMember(ctx, await antiAffinity(ctx)),

  instance_affinity_group_list: async (ctx) =>
    listGroupsOf(ctx, 'affinity_group', await instance(ctx)),
  instance_anti_affinity_group_list: async (ctx) =>
    listGroupsOf(ctx, 'anti_affinity_group', await instance(ctx)),
}

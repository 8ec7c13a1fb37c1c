import type { Context, Handlers } from '../../kernel/context.ts'
import {
  createGroup,
  deleteGroup,
  listGroups,
  lookupGroup,
  updateGroup,
  viewGroup,
} from './groups.ts'
import { addMember, listMembers, removeMember, viewOneMember } from './members.ts'

interface NamesGroup<Parameter extends string> {
  params: Record<Parameter, string>
  query: { project?: string }
}

const affinity = (ctx: Context & NamesGroup<'affinity_group'>) =>
  lookupGroup(ctx, 'affinity', ctx.params.affinity_group, ctx.query)
const antiAffinity = (ctx: Context & NamesGroup<'anti_affinity_group'>) =>
  lookupGroup(ctx, 'anti_affinity', ctx.params.anti_affinity_group, ctx.query)

type AffinityOperation =
  | 'affinity_group_list'
  | 'affinity_group_create'
  | 'affinity_group_view'
  | 'affinity_group_update'
  | 'affinity_group_delete'
  | 'affinity_group_member_list'
  | 'affinity_group_member_instance_view'
  | 'affinity_group_member_instance_add'
  | 'affinity_group_member_instance_delete'

/** Both kinds of groups: the same functions under two sets of paths. */
export const affinityHandlers: Handlers<AffinityOperation | `anti_${AffinityOperation}`> = {
  affinity_group_list: (ctx) => listGroups(ctx, 'affinity', ctx.query.project!),
  affinity_group_create: (ctx) => createGroup(ctx, 'affinity', ctx.query.project, ctx.body),
  affinity_group_view: async (ctx) => viewGroup(await affinity(ctx)),
  affinity_group_update: async (ctx) => updateGroup(ctx, await affinity(ctx), ctx.body),
  affinity_group_delete: async (ctx) => deleteGroup(ctx, await affinity(ctx)),
  affinity_group_member_list: async (ctx) => listMembers(ctx, await affinity(ctx)),
  affinity_group_member_instance_view: async (ctx) => viewOneMember(ctx, await affinity(ctx)),
  affinity_group_member_instance_add: async (ctx) => addMember(ctx, await affinity(ctx)),
  affinity_group_member_instance_delete: async (ctx) => removeMember(ctx, await affinity(ctx)),

  anti_affinity_group_list: (ctx) => listGroups(ctx, 'anti_affinity', ctx.query.project!),
  anti_affinity_group_create: (ctx) =>
    createGroup(ctx, 'anti_affinity', ctx.query.project, ctx.body),
  anti_affinity_group_view: async (ctx) => viewGroup(await antiAffinity(ctx)),
  anti_affinity_group_update: async (ctx) => updateGroup(ctx, await antiAffinity(ctx), ctx.body),
  anti_affinity_group_delete: async (ctx) => deleteGroup(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_list: async (ctx) => listMembers(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_instance_view: async (ctx) =>
    viewOneMember(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_instance_add: async (ctx) => addMember(ctx, await antiAffinity(ctx)),
  anti_affinity_group_member_instance_delete: async (ctx) =>
    removeMember(ctx, await antiAffinity(ctx)),
}

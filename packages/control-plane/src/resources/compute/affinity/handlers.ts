import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createGroup, deleteGroup, updateGroup, toWireGroup } from './groups.ts'
import { addMember, listGroupsOf, listMembers, removeMember, findMember } from './members.ts'

const affinity = usualHandlers('affinity_group', each(toWireGroup))
const antiAffinity = usualHandlers('anti_affinity_group', each(toWireGroup))

const instance = (
  ctx: LookupContext<'instance'> & { params: { instance: string }; query: { project?: string } },
) => lookup(ctx, 'instance', ctx.params.instance, ctx.query)

/** Handlers of both kinds of groups: the same functions for two sets of paths. */
export const affinityHandlers: Handlers<typeof tables.affinityOperations> = {
  affinity_group_list: affinity.list,
  affinity_group_search: affinity.search,
  affinity_group_view: affinity.view,
  affinity_group_update: affinity.change(updateGroup),
  affinity_group_delete: affinity.delete(deleteGroup),
  async affinity_group_create(ctx) {
    const { id } = await affinity.container(ctx)
    return toWireGroup(await createGroup(ctx, 'affinity_group', id, ctx.body))
  },
  affinity_group_member_list: async (ctx) => listMembers(ctx, await affinity.find(ctx)),
  affinity_group_member_instance_view: async (ctx) => findMember(ctx, await affinity.find(ctx)),
  affinity_group_member_instance_add: async (ctx) => addMember(ctx, await affinity.find(ctx)),
  affinity_group_member_instance_delete: async (ctx) => removeMember(ctx, await affinity.find(ctx)),
  anti_affinity_group_list: antiAffinity.list,
  anti_affinity_group_search: antiAffinity.search,
  anti_affinity_group_view: antiAffinity.view,
  anti_affinity_group_update: antiAffinity.change(updateGroup),
  anti_affinity_group_delete: antiAffinity.delete(deleteGroup),
  async anti_affinity_group_create(ctx) {
    const { id } = await antiAffinity.container(ctx)
    return toWireGroup(await createGroup(ctx, 'anti_affinity_group', id, ctx.body))
  },
  anti_affinity_group_member_list: async (ctx) => listMembers(ctx, await antiAffinity.find(ctx)),
  anti_affinity_group_member_instance_view: async (ctx) =>
    findMember(ctx, await antiAffinity.find(ctx)),
  anti_affinity_group_member_instance_add: async (ctx) =>
    addMember(ctx, await antiAffinity.find(ctx)),
  anti_affinity_group_member_instance_delete: async (ctx) =>
    removeMember(ctx, await antiAffinity.find(ctx)),
  instance_affinity_group_list: async (ctx) =>
    listGroupsOf(ctx, 'affinity_group', await instance(ctx)),
  instance_anti_affinity_group_list: async (ctx) =>
    listGroupsOf(ctx, 'anti_affinity_group', await instance(ctx)),
}

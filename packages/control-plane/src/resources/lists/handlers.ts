import type { Wire } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../kernel/context.ts'
import { lookupProject } from '../projects/lookup.ts'
import { type AnyList, type SearchedPage, searchList } from '../../kernel/lists/list.ts'
import {
  affinityGroups,
  antiAffinityGroups,
  disks,
  floatingIps,
  instances,
  projectImages,
  projects,
  siloImages,
  snapshots,
  sshKeys,
} from './resources.ts'

type ListOperation = Extract<keyof Wire.Operations, `${string}_search`>

const inProject =
  <Row, View>(list: AnyList<Row, View>) =>
  async (ctx: Context & { query: { project?: string } }): Promise<SearchedPage<View>> => {
    const { id } = await lookupProject(ctx, ctx.query.project!)
    return searchList(ctx, list, id)
  }

/** The lists of `/x/v1`: the items of the plain ones, seen by the same callers. */
export const listHandlers: Handlers<ListOperation> = {
  instance_search: inProject(instances),
  disk_search: inProject(disks),
  snapshot_search: inProject(snapshots),
  floating_ip_search: inProject(floatingIps),
  affinity_group_search: inProject(affinityGroups),
  anti_affinity_group_search: inProject(antiAffinityGroups),

  async image_search(ctx) {
    if (ctx.query.project) return inProject(projectImages)(ctx)
    const { siloId } = ctx.actor
    authorize(ctx, 'silo_image', { siloId })
    return searchList(ctx, siloImages, siloId)
  },

  async project_search(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo', { siloId })
    return searchList(ctx, projects, siloId)
  },

  async current_user_ssh_key_search(ctx) {
    return searchList(ctx, sshKeys, ctx.actor.userId)
  },
}

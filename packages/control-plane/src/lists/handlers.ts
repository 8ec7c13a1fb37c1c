import { authorize } from '../authz/authorize.ts'
import type { Handlers } from '../context.ts'
import { lookupProject } from '../projects/lookup.ts'
import { searchList } from './list.ts'
import { disks, instances, projects } from './resources.ts'

type ListOperation = 'instance_search' | 'disk_search' | 'project_search'

/** The lists of `/x/v1`: the items of the plain ones, seen by the same callers. */
export const listHandlers: Handlers<ListOperation> = {
  async instance_search(ctx) {
    const { id } = await lookupProject(ctx, ctx.query.project!)
    return searchList(ctx, instances, id)
  },

  async disk_search(ctx) {
    const { id } = await lookupProject(ctx, ctx.query.project!)
    return searchList(ctx, disks, id)
  },

  async project_search(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo', { siloId })
    return searchList(ctx, projects, siloId)
  },
}

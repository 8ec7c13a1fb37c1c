import type { Wire } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { lookupProject } from '../projects/lookup.ts'
import type { VpcRow } from './create.ts'
import { deleteVpc } from './delete.ts'

const view = (row: VpcRow): Wire.Vpc => ({
  id: row.id,
  name: row.name,
  description: row.description,
  project_id: row.project_id,
  system_router_id: row.system_router_id,
  ipv6_prefix: row.ipv6_prefix,
  dns_name: row.dns_name,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const vpcHandlers: Handlers<'vpc_list' | 'vpc_view' | 'vpc_delete'> = {
  async vpc_list(ctx) {
    const project = await lookupProject(ctx, ctx.query.project!)
    const query = ctx.db
      .selectFrom('vpc')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async vpc_view(ctx) {
    return view(await lookupChild(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },

  async vpc_delete(ctx) {
    await deleteVpc(ctx, await lookupChild(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },
}

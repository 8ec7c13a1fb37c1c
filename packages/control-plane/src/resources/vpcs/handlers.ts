import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { deleteVpc } from './delete.ts'

const view = (row: Row<'vpc'>): Wire.Vpc => ({
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

export const vpcHandlers: Handlers<typeof tables.vpcOperations> = {
  async vpc_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'vpc').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, view)
  },

  async vpc_view(ctx) {
    return view(await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },

  async vpc_delete(ctx) {
    await deleteVpc(ctx, await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },
}

import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { deleteSubnet } from './delete.ts'

const view = (row: Row<'vpc_subnet'>): Wire.VpcSubnet => ({
  id: row.id,
  name: row.name,
  description: row.description,
  vpc_id: row.vpc_id,
  ipv4_block: row.ipv4_block,
  ipv6_block: row.ipv6_block,
  custom_router_id: row.custom_router_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const subnetHandlers: Handlers<typeof tables.subnetOperations> = {
  async vpc_subnet_list(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    const rows = rowsOf(ctx.db, 'vpc_subnet').selectAll().where('vpc_id', '=', vpc.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, view)
  },

  async vpc_subnet_view(ctx) {
    return view(await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query))
  },

  async vpc_subnet_delete(ctx) {
    await deleteSubnet(ctx, await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query))
  },
}

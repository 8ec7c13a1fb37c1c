import type { Wire } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { deleteSubnet, type SubnetRow } from './delete.ts'

const view = (row: SubnetRow): Wire.VpcSubnet => ({
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

type SubnetOperation = 'vpc_subnet_list' | 'vpc_subnet_view' | 'vpc_subnet_delete'

export const subnetHandlers: Handlers<SubnetOperation> = {
  async vpc_subnet_list(ctx) {
    const vpc = await lookupChild(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    const query = ctx.db
      .selectFrom('vpc_subnet')
      .selectAll()
      .where('vpc_id', '=', vpc.id)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async vpc_subnet_view(ctx) {
    return view(await lookupChild(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query))
  },

  async vpc_subnet_delete(ctx) {
    await deleteSubnet(ctx, await lookupChild(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query))
  },
}

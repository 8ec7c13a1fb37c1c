import type { tables } from '@steading/api'
import { ROUTER_OF_OTHER_VPC, SYSTEM_ROUTER_UNATTACHABLE } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'
import { toWireNetworkInterface } from '../network-interfaces/wire.ts'
import { createSubnet } from './create.ts'
import { deleteSubnet } from './delete.ts'
import { updateSubnet } from './update.ts'
import { toWireSubnet } from './wire.ts'

/**
 * The custom router in a body; null for none.
 * @throws ApiError 400 for the system router, and for one of another VPC
 */
async function customRouter(
  context: LookupContext<'vpc_router'>,
  vpcId: string,
  selector: string | null | undefined,
): Promise<string | null> {
  if (!selector) return null
  const router = await lookup(context, 'vpc_router', selector, ifNamed(selector, { vpc: vpcId }))
  if (router.vpc_id !== vpcId) throw fail.invalidRequest(ROUTER_OF_OTHER_VPC)
  if (router.kind === 'system') throw fail.invalidRequest(SYSTEM_ROUTER_UNATTACHABLE)
  return router.id
}

export const subnetHandlers: Handlers<typeof tables.subnetOperations> = {
  async vpc_subnet_list(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    const rows = rowsOf(ctx.db, 'vpc_subnet').selectAll().where('vpc_id', '=', vpc.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireSubnet)
  },

  async vpc_subnet_search(ctx) {
    const { id } = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    return searchList(ctx, 'vpc_subnet', id)
  },

  async vpc_subnet_create(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc, ctx.query)
    const custom_router_id = await customRouter(ctx, vpc.id, ctx.body.custom_router)
    return toWireSubnet(await createSubnet(ctx, vpc, { ...ctx.body, custom_router_id }))
  },

  async vpc_subnet_view(ctx) {
    return toWireSubnet(await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query))
  },

  async vpc_subnet_update(ctx) {
    const subnet = await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query)
    const router = await customRouter(ctx, subnet.vpc_id, ctx.body.custom_router)
    return toWireSubnet(await updateSubnet(ctx, subnet, ctx.body, router))
  },

  async vpc_subnet_delete(ctx) {
    await deleteSubnet(ctx, await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query))
  },

  async vpc_subnet_list_network_interfaces(ctx) {
    const { id } = await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query)
    const rows = rowsOf(ctx.db, 'network_interface').selectAll().where('subnet_id', '=', id)
    return listPage(
      ctx.page,
      rows,
      { name: 'name', id: 'id', sharedNames: true },
      toWireNetworkInterface,
    )
  },

  async vpc_subnet_deletion(ctx) {
    const subnet = await lookup(ctx, 'vpc_subnet', ctx.params.subnet, ctx.query)
    return describeDeletion(ctx, 'vpc_subnet', subnet)
  },
}

import type { tables } from '@steading/api'
import { ROUTER_OF_OTHER_VPC, SYSTEM_ROUTER_UNATTACHABLE } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { toWireNetworkInterface } from '../network-interfaces/wire.ts'
import { createSubnet } from './create.ts'
import { deleteSubnet } from './delete.ts'
import { updateSubnet } from './update.ts'
import { toWireSubnet } from './kind.ts'

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

const subnets = usualHandlers('vpc_subnet', each(toWireSubnet), 'subnet')

export const subnetHandlers: Handlers<typeof tables.subnetOperations> = {
  vpc_subnet_list: subnets.list,
  vpc_subnet_search: subnets.search,
  vpc_subnet_view: subnets.view,
  vpc_subnet_delete: subnets.delete(deleteSubnet),
  vpc_subnet_deletion: subnets.deletion,

  async vpc_subnet_create(ctx) {
    const vpc = await subnets.container(ctx)
    const custom_router_id = await customRouter(ctx, vpc.id, ctx.body.custom_router)
    return toWireSubnet(await createSubnet(ctx, vpc, { ...ctx.body, custom_router_id }))
  },

  async vpc_subnet_update(ctx) {
    const subnet = await subnets.find(ctx)
    const router = await customRouter(ctx, subnet.vpc_id, ctx.body.custom_router)
    return toWireSubnet(await updateSubnet(ctx, subnet, ctx.body, router))
  },

  async vpc_subnet_list_network_interfaces(ctx) {
    const { id } = await subnets.find(ctx)
    const rows = rowsOf(ctx.db, 'network_interface').selectAll().where('subnet_id', '=', id)
    return listPage(
      ctx.page,
      rows,
      { name: 'name', id: 'id', sharedNames: true },
      toWireNetworkInterface,
    )
  },
}

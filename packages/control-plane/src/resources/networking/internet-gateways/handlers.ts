import type { tables } from '@steading/api'
import { formatAddress, parseAddress } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { projectOfVpc } from '../routers/project.ts'
import { deleteGateway, detach } from './delete.ts'
import { toWireGateway, toWireIpAddress, toWireIpPool } from './wire.ts'

const gateways = usualHandlers('internet_gateway', each(toWireGateway), 'gateway')
const pools = usualHandlers('internet_gateway_ip_pool', each(toWireIpPool), 'pool')
const addresses = usualHandlers('internet_gateway_ip_address', each(toWireIpAddress), 'address')

export const internetGatewayHandlers: Handlers<typeof tables.internetGatewayOperations> = {
  internet_gateway_list: gateways.list,
  internet_gateway_search: gateways.search,
  internet_gateway_view: gateways.view,
  internet_gateway_deletion: gateways.deletion,
  internet_gateway_ip_pool_list: pools.list,
  internet_gateway_ip_address_list: addresses.list,

  async internet_gateway_create(ctx) {
    const { id: vpc_id, project_id } = await gateways.container(ctx)
    const place = { project_id }
    return toWireGateway(await insertNamed(ctx, 'internet_gateway', ctx.body, { vpc_id }, place))
  },

  async internet_gateway_delete(ctx) {
    await deleteGateway(ctx, await gateways.find(ctx), ctx.query.cascade)
  },

  async internet_gateway_ip_pool_create(ctx) {
    const { id: internet_gateway_id, vpc_id } = await pools.container(ctx)
    const { id: ip_pool_id } = await lookup(ctx, 'ip_pool', ctx.body.ip_pool)
    const columns = { internet_gateway_id, ip_pool_id }
    const place = await projectOfVpc(ctx.db, vpc_id)
    const kind = 'internet_gateway_ip_pool'
    return toWireIpPool(await insertNamed(ctx, kind, ctx.body, columns, place))
  },

  async internet_gateway_ip_pool_delete(ctx) {
    await detach(ctx, 'internet_gateway_ip_pool', await pools.find(ctx), ctx.query.cascade)
  },

  async internet_gateway_ip_address_create(ctx) {
    const { id: internet_gateway_id, vpc_id } = await addresses.container(ctx)
    const address = formatAddress(parseAddress(ctx.body.address)!)
    const columns = { internet_gateway_id, address }
    const place = await projectOfVpc(ctx.db, vpc_id)
    const kind = 'internet_gateway_ip_address'
    return toWireIpAddress(await insertNamed(ctx, kind, ctx.body, columns, place))
  },

  async internet_gateway_ip_address_delete(ctx) {
    await detach(ctx, 'internet_gateway_ip_address', await addresses.find(ctx), ctx.query.cascade)
  },
}

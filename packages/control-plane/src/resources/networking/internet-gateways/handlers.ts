import type { tables, Wire } from '@steading/api'
import { formatAddress, parseAddress } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup, requireFreeName } from '../../../kernel/lookup.ts'
import type { Writing } from '../../../kernel/work.ts'
import { each } from '../../../kernel/search/search.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { projectOfVpc } from '../routers/project.ts'
import { type Attachment, deleteGateway, detach } from './delete.ts'
import { toWireGateway, toWireIpAddress, toWireIpPool } from './wire.ts'

/** The columns of a new attachment to a gateway. */
const attachment = (
  now: Date,
  gateway: Row<'internet_gateway'>,
  { name, description }: Pick<Wire.InternetGatewayCreate, 'name' | 'description'>,
) => ({
  id: crypto.randomUUID(),
  name,
  description,
  time_created: now.toISOString(),
  time_modified: now.toISOString(),
  time_deleted: null,
  internet_gateway_id: gateway.id,
})

/** @throws ApiError 400 if another attachment of the kind has the name */
async function attach<Attached extends { id: string; name: string }>(
  { db, emit }: Writing,
  kind: Attachment,
  gateway: Row<'internet_gateway'>,
  row: Attached,
  insert: (row: Attached) => { execute: () => Promise<unknown> },
): Promise<Attached> {
  await requireFreeName(db, kind, gateway.id, row.name)
  await insert(row).execute()
  await emit(kind, 'create', { ...row, ...(await projectOfVpc(db, gateway.vpc_id)) })
  return row
}

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
    const gateway = await pools.container(ctx)
    const pool = await lookup(ctx, 'ip_pool', ctx.body.ip_pool)
    const row = { ...attachment(ctx.now, gateway, ctx.body), ip_pool_id: pool.id }
    const kind = 'internet_gateway_ip_pool'
    const insert = (one: typeof row) => ctx.db.insertInto(kind).values(one)
    return toWireIpPool(await attach(ctx, kind, gateway, row, insert))
  },

  async internet_gateway_ip_pool_delete(ctx) {
    await detach(ctx, 'internet_gateway_ip_pool', await pools.find(ctx), ctx.query.cascade)
  },

  async internet_gateway_ip_address_create(ctx) {
    const gateway = await addresses.container(ctx)
    const address = formatAddress(parseAddress(ctx.body.address)!)
    const row = { ...attachment(ctx.now, gateway, ctx.body), address }
    const kind = 'internet_gateway_ip_address'
    const insert = (one: typeof row) => ctx.db.insertInto(kind).values(one)
    return toWireIpAddress(await attach(ctx, kind, gateway, row, insert))
  },

  async internet_gateway_ip_address_delete(ctx) {
    await detach(ctx, 'internet_gateway_ip_address', await addresses.find(ctx), ctx.query.cascade)
  },
}

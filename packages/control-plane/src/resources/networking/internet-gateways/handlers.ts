import type { tables, Wire } from '@steading/api'
import { formatAddress, parseAddress } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'
import { projectOfVpc } from '../routers/project.ts'
import { type Attachment, deleteGateway, detach } from './delete.ts'
import { toWireGateway, toWireIpAddress, toWireIpPool } from './wire.ts'

interface InGateway {
  project?: string
  vpc?: string
  gateway?: string
}

/** The gateway in the query. */
const gatewayOf = (ctx: LookupContext<'internet_gateway'> & { query: InGateway }) => {
  const { project, vpc, gateway } = ctx.query
  return lookup(ctx, 'internet_gateway', gateway!, { project, vpc })
}

/** The selectors of a gateway in a query, for looking up its attachments. */
const parentsIn = ({ project, vpc, gateway }: InGateway) => ({
  project,
  vpc,
  internet_gateway: gateway,
})

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

export const internetGatewayHandlers: Handlers<typeof tables.internetGatewayOperations> = {
  async internet_gateway_list(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    const rows = rowsOf(ctx.db, 'internet_gateway').selectAll().where('vpc_id', '=', vpc.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireGateway)
  },

  async internet_gateway_search(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    return searchList(ctx, 'internet_gateway', vpc.id)
  },

  async internet_gateway_create(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc, ctx.query)
    const { name, description } = ctx.body
    await requireFreeName(ctx.db, 'internet_gateway', vpc.id, name)
    const time = ctx.now.toISOString()
    const gateway: Row<'internet_gateway'> = {
      id: crypto.randomUUID(),
      ...named(name),
      description,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      vpc_id: vpc.id,
    }
    await ctx.db.insertInto('internet_gateway').values(gateway).execute()
    await ctx.emit('internet_gateway', 'create', { ...gateway, project_id: vpc.project_id })
    return toWireGateway(gateway)
  },

  async internet_gateway_view(ctx) {
    return toWireGateway(await lookup(ctx, 'internet_gateway', ctx.params.gateway, ctx.query))
  },

  async internet_gateway_delete(ctx) {
    const { project, vpc, cascade } = ctx.query
    const gateway = await lookup(ctx, 'internet_gateway', ctx.params.gateway, { project, vpc })
    await deleteGateway(ctx, gateway, cascade)
  },

  async internet_gateway_deletion(ctx) {
    const gateway = await lookup(ctx, 'internet_gateway', ctx.params.gateway, ctx.query)
    return describeDeletion(ctx, 'internet_gateway', gateway)
  },

  async internet_gateway_ip_pool_list(ctx) {
    const gateway = await gatewayOf(ctx)
    const rows = rowsOf(ctx.db, 'internet_gateway_ip_pool')
      .selectAll()
      .where('internet_gateway_id', '=', gateway.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireIpPool)
  },

  async internet_gateway_ip_pool_create(ctx) {
    const gateway = await gatewayOf(ctx)
    const pool = await lookup(ctx, 'ip_pool', ctx.body.ip_pool)
    const row = { ...attachment(ctx.now, gateway, ctx.body), ip_pool_id: pool.id }
    const kind = 'internet_gateway_ip_pool'
    const insert = (one: typeof row) => ctx.db.insertInto(kind).values(one)
    return toWireIpPool(await attach(ctx, kind, gateway, row, insert))
  },

  async internet_gateway_ip_pool_delete(ctx) {
    const kind = 'internet_gateway_ip_pool'
    const attached = await lookup(ctx, kind, ctx.params.pool, parentsIn(ctx.query))
    await detach(ctx, kind, attached, ctx.query.cascade)
  },

  async internet_gateway_ip_address_list(ctx) {
    const gateway = await gatewayOf(ctx)
    const rows = rowsOf(ctx.db, 'internet_gateway_ip_address')
      .selectAll()
      .where('internet_gateway_id', '=', gateway.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireIpAddress)
  },

  async internet_gateway_ip_address_create(ctx) {
    const gateway = await gatewayOf(ctx)
    const address = formatAddress(parseAddress(ctx.body.address)!)
    const row = { ...attachment(ctx.now, gateway, ctx.body), address }
    const kind = 'internet_gateway_ip_address'
    const insert = (one: typeof row) => ctx.db.insertInto(kind).values(one)
    return toWireIpAddress(await attach(ctx, kind, gateway, row, insert))
  },

  async internet_gateway_ip_address_delete(ctx) {
    const kind = 'internet_gateway_ip_address'
    const attached = await lookup(ctx, kind, ctx.params.address, parentsIn(ctx.query))
    await detach(ctx, kind, attached, ctx.query.cascade)
  },
}

import type { tables, Wire } from '@steading/api'
import { ipPoolMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage, type Page, tokenAfter } from '../../../kernel/paging.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import {
  changeLink,
  type Link,
  linkSilo,
  linkedPools,
  pageOfLinks,
  unlinkSilo,
} from '../pools/links.ts'
import { updatePool } from '../pools/update.ts'
import { rangesOf } from './addresses.ts'
import { pageOfAddresses } from './address-list.ts'
import { assignPool, deletePool } from './assign.ts'
import { createPool } from './create.ts'
import { ipPools } from './links.ts'
import { addRange, removeRange } from './ranges.ts'
import { poolUse } from './utilization.ts'
import { toWireIpPool as toWire, toWireRange, toWireSiloIpPool, toWireUtilization } from './wire.ts'

type Pool = Row<'system_ip_pool'>

const toWireLink =
  ({ id }: Pool) =>
  ({ silo_id, is_default }: Link): Wire.IpPoolSiloLink => ({
    ip_pool_id: id,
    silo_id,
    is_default: is_default === 1,
  })

async function pageOfRanges(
  { db, page }: { db: Db; page: Page },
  { id }: Pool,
): Promise<Wire.IpPoolRangeResultsPage> {
  let rows = rangesOf(db, id).limit(page.limit)
  if (page.lastSeen !== undefined) rows = rows.where('first_key', '>', page.lastSeen)
  const ranges = await rows.execute()
  const last = ranges.at(-1)
  return {
    items: ranges.map(toWireRange),
    next_page: last ? tokenAfter(page, { last_seen: last.first_key }) : null,
  }
}

/**
 * The oldest pool of system services. For clients from before pools had an assignment, it is the
 * only one.
 * @throws ApiError 404
 */
async function servicePool(ctx: LookupContext<'system_ip_pool'>): Promise<Pool> {
  const missing = () => fail.notFoundOther(ipPoolMessages.noServicePool)
  authorize(ctx, 'system_ip_pool', {}, missing)
  const pool = await rowsOf(ctx.db, 'system_ip_pool')
    .selectAll()
    .where('its.assignment', '=', 'system_services')
    .orderBy('its.time_created')
    .orderBy('its.id')
    .limit(1)
    .executeTakeFirst()
  if (!pool) throw missing()
  ctx.audit?.note({
    kind: 'system_ip_pool',
    id: pool.id,
    name: pool.name,
    siloId: null,
    projectId: null,
  })
  return pool
}

const pools = usualHandlers('system_ip_pool', each(toWire), 'pool')

export const systemIpPoolHandlers: Handlers<typeof tables.systemIpPoolOperations> = {
  system_ip_pool_search: pools.search,
  system_ip_pool_view: pools.view,
  system_ip_pool_delete: pools.delete(deletePool),
  system_ip_pool_deletion: pools.deletion,

  async system_ip_pool_list(ctx) {
    authorize(ctx, 'system_ip_pool', {})
    let rows = rowsOf(ctx.db, 'system_ip_pool').selectAll()
    for (const column of ['ip_version', 'pool_type', 'assignment'] as const) {
      const wanted = ctx.query[column]
      if (wanted) rows = rows.where(`its.${column}`, '=', wanted)
    }
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  async system_ip_pool_create(ctx) {
    authorize(ctx, 'system_ip_pool', {})
    return toWire(await createPool(ctx, ctx.body))
  },

  system_ip_pool_update: async (ctx) =>
    toWire(await updatePool(ctx, ipPools, await pools.find(ctx), ctx.body)),
  system_ip_pool_assign: async (ctx) =>
    toWire(await assignPool(ctx, await pools.find(ctx), ctx.body.assignment)),
  system_ip_pool_range_list: async (ctx) => pageOfRanges(ctx, await pools.find(ctx)),
  system_ip_pool_range_add: async (ctx) =>
    toWireRange(await addRange(ctx, await pools.find(ctx), ctx.body)),

  async system_ip_pool_range_remove(ctx) {
    await removeRange(ctx, await pools.find(ctx), ctx.body)
  },

  async system_ip_pool_silo_list(ctx) {
    const pool = await pools.find(ctx)
    return pageOfLinks(ctx.db, ctx.page, ipPools, pool.id, toWireLink(pool))
  },

  async system_ip_pool_silo_link(ctx) {
    const pool = await pools.find(ctx)
    const silo = await lookup(ctx, 'silo', ctx.body.silo)
    if (pool.assignment !== 'silos') throw fail.invalidRequest(ipPoolMessages.linkedAndAssigned)
    return toWireLink(pool)(await linkSilo(ctx, ipPools, pool, silo.id, ctx.body.is_default))
  },

  async system_ip_pool_silo_update(ctx) {
    const pool = await pools.find(ctx)
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    return toWireLink(pool)(await changeLink(ctx, ipPools, pool, silo.id, ctx.body.is_default))
  },

  async system_ip_pool_silo_unlink(ctx) {
    const pool = await pools.find(ctx)
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    await unlinkSilo(ctx, ipPools, pool, silo.id)
  },

  system_ip_pool_utilization_view: async (ctx) =>
    toWireUtilization(await poolUse(ctx.db, await pools.find(ctx))),
  system_ip_pool_address_list: async (ctx) =>
    pageOfAddresses(ctx, await pools.find(ctx), ctx.query.search),

  async silo_ip_pool_list(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    authorize(ctx, 'system_ip_pool', {})
    const rows = linkedPools(ctx.db, ipPools, silo.id)
    return listPage(ctx.page, rows, { name: 'its.name', id: 'its.id' }, toWireSiloIpPool)
  },

  ip_pool_service_view: async (ctx) => toWire(await servicePool(ctx)),
  ip_pool_service_range_list: async (ctx) => pageOfRanges(ctx, await servicePool(ctx)),
  ip_pool_service_range_add: async (ctx) =>
    toWireRange(await addRange(ctx, await servicePool(ctx), ctx.body)),

  async ip_pool_service_range_remove(ctx) {
    await removeRange(ctx, await servicePool(ctx), ctx.body)
  },
}

import type { Wire } from '@steading/api'
import { isUuid } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../kernel/context.ts'
import type { Flag, IpPoolTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'

const view = (row: Selectable<IpPoolTable> & { is_default: Flag }): Wire.SiloIpPool => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ip_version: row.ip_version,
  pool_type: row.pool_type,
  is_default: row.is_default === 1,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

/** Pools linked to the caller's silo; no others exist for them. */
const linkedPools = (ctx: Context) =>
  ctx.db
    .selectFrom('ip_pool')
    .innerJoin('ip_pool_silo_link as link', 'link.ip_pool_id', 'ip_pool.id')
    .selectAll('ip_pool')
    .select('link.is_default')
    .where('link.silo_id', '=', ctx.actor.siloId)
    .where('ip_pool.time_deleted', 'is', null)

export const ipPoolHandlers: Handlers<'ip_pool_list' | 'ip_pool_view'> = {
  async ip_pool_list(ctx) {
    authorize(ctx, 'ip_pool', { siloId: ctx.actor.siloId })
    const { ip_version, pool_type } = ctx.query
    let query = linkedPools(ctx)
    if (ip_version) query = query.where('ip_version', '=', ip_version)
    if (pool_type) query = query.where('pool_type', '=', pool_type)
    return listPage(ctx.page, query, { name: 'ip_pool.name', id: 'ip_pool.id' }, view)
  },

  async ip_pool_view(ctx) {
    const { pool: selector } = ctx.params
    const byId = isUuid(selector)
    const missing = () =>
      byId ? fail.notFoundById('ip-pool', selector) : fail.notFoundByName('ip-pool', selector)
    const pool = await (
      byId
        ? linkedPools(ctx).where('ip_pool.id', '=', selector.toLowerCase())
        : linkedPools(ctx).where('ip_pool.name', '=', selector)
    ).executeTakeFirst()
    if (!pool) throw missing()
    authorize(ctx, 'ip_pool', { siloId: ctx.actor.siloId }, missing)
    return view(pool)
  },
}

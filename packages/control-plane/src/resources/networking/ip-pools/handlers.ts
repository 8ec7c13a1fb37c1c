import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { linkedPools } from '../pools/links.ts'
import { ipPools } from './links.ts'
import { toWireSiloIpPool } from './wire.ts'

/** A page of the pools linked to a silo, limited as the call asks. */
function pageOfPools(
  { db, page, query }: Pick<Context<'ip_pool_list'>, 'db' | 'page' | 'query'>,
  siloId: string,
) {
  const { ip_version, pool_type } = query
  let pools = linkedPools(db, ipPools, siloId)
  if (ip_version) pools = pools.where('its.ip_version', '=', ip_version)
  if (pool_type) pools = pools.where('its.pool_type', '=', pool_type)
  return listPage(page, pools, { name: 'its.name', id: 'its.id' }, toWireSiloIpPool)
}

export const ipPoolHandlers: Handlers<typeof tables.ipPoolOperations> = {
  async ip_pool_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'ip_pool', { siloId })
    return pageOfPools(ctx, siloId)
  },

  async project_ip_pool_list(ctx) {
    const { silo_id } = await lookup(ctx, 'project', ctx.params.project)
    return pageOfPools(ctx, silo_id)
  },

  async ip_pool_view(ctx) {
    const { id } = await lookup(ctx, 'ip_pool', ctx.params.pool)
    const linked = linkedPools(ctx.db, ipPools, ctx.actor.siloId)
    return toWireSiloIpPool(await linked.where('its.id', '=', id).executeTakeFirstOrThrow())
  },
}

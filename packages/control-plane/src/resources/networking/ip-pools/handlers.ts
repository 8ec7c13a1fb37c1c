import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { linkedPools } from '../pools/links.ts'
import { ipPools } from './links.ts'
import { toWireSiloIpPool } from './wire.ts'

export const ipPoolHandlers: Handlers<typeof tables.ipPoolOperations> = {
  async ip_pool_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'ip_pool', { siloId })
    const { ip_version, pool_type } = ctx.query
    let query = linkedPools(ctx.db, ipPools, siloId)
    if (ip_version) query = query.where('its.ip_version', '=', ip_version)
    if (pool_type) query = query.where('its.pool_type', '=', pool_type)
    return listPage(ctx.page, query, { name: 'its.name', id: 'its.id' }, toWireSiloIpPool)
  },

  async ip_pool_view(ctx) {
    const { id } = await lookup(ctx, 'ip_pool', ctx.params.pool)
    const linked = linkedPools(ctx.db, ipPools, ctx.actor.siloId)
    return toWireSiloIpPool(await linked.where('its.id', '=', id).executeTakeFirstOrThrow())
  },
}

import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { linkedPools } from '../pools/links.ts'
import { subnetPools } from './links.ts'
import { toWireSiloSubnetPool } from './wire.ts'

export const subnetPoolHandlers: Handlers<typeof tables.subnetPoolOperations> = {
  async subnet_pool_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'subnet_pool', { siloId })
    const rows = linkedPools(ctx.db, subnetPools, siloId)
    return listPage(ctx.page, rows, { name: 'its.name', id: 'its.id' }, toWireSiloSubnetPool)
  },

  async subnet_pool_view(ctx) {
    const { id } = await lookup(ctx, 'subnet_pool', ctx.params.pool)
    const linked = linkedPools(ctx.db, subnetPools, ctx.actor.siloId)
    return toWireSiloSubnetPool(await linked.where('its.id', '=', id).executeTakeFirstOrThrow())
  },
}

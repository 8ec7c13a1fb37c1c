import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { linkedPools } from '../pools/links.ts'
import { subnetPools } from './links.ts'
import { toWireSiloSubnetPool } from './wire.ts'

/** A page of the pools linked to a silo. */
const pageOfPools = (
  { db, page }: Pick<Context<'subnet_pool_list'>, 'db' | 'page'>,
  siloId: string,
) =>
  listPage(
    page,
    linkedPools(db, subnetPools, siloId),
    { name: 'its.name', id: 'its.id' },
    toWireSiloSubnetPool,
  )

export const subnetPoolHandlers: Handlers<typeof tables.subnetPoolOperations> = {
  async subnet_pool_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'subnet_pool', { siloId })
    return pageOfPools(ctx, siloId)
  },

  async project_subnet_pool_list(ctx) {
    const { silo_id } = await lookup(ctx, 'project', ctx.params.project)
    return pageOfPools(ctx, silo_id)
  },

  async subnet_pool_view(ctx) {
    const { id } = await lookup(ctx, 'subnet_pool', ctx.params.pool)
    const linked = linkedPools(ctx.db, subnetPools, ctx.actor.siloId)
    return toWireSiloSubnetPool(await linked.where('its.id', '=', id).executeTakeFirstOrThrow())
  },
}

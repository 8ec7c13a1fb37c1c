import type { tables } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import { rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { viewSiloSubnetPool } from './view.ts'

/** The pools that are linked to a silo, with the columns of the link. */
const linkedPools = (db: Db, siloId: string) =>
  rowsOf(db, 'subnet_pool')
    .innerJoin('subnet_pool_silo_link as link', 'link.subnet_pool_id', 'its.id')
    .selectAll('its')
    .select('link.is_default')
    .where('link.silo_id', '=', siloId)

export const subnetPoolHandlers: Handlers<typeof tables.subnetPoolOperations> = {
  async subnet_pool_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'subnet_pool', { siloId })
    const rows = linkedPools(ctx.db, siloId)
    return listPage(ctx.page, rows, { name: 'its.name', id: 'its.id' }, viewSiloSubnetPool)
  },

  async subnet_pool_view(ctx) {
    const { id } = await lookup(ctx, 'subnet_pool', ctx.params.pool)
    const row = linkedPools(ctx.db, ctx.actor.siloId).where('its.id', '=', id)
    return viewSiloSubnetPool(await row.executeTakeFirstOrThrow())
  },
}

import type { tables, Wire } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import type { Flag } from '../../kernel/db/schema.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import type { Work } from '../../kernel/work.ts'

const view = (row: Row<'ip_pool'> & { is_default: Flag }): Wire.SiloIpPool => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ip_version: row.ip_version,
  pool_type: row.pool_type,
  is_default: row.is_default === 1,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

/** Pools that are linked to the caller's silo, with the columns of the link. */
const linkedPools = ({ db, actor }: Pick<Work, 'db' | 'actor'>) =>
  rowsOf(db, 'ip_pool')
    .innerJoin('ip_pool_silo_link as link', 'link.ip_pool_id', 'its.id')
    .selectAll('its')
    .select('link.is_default')
    .where('link.silo_id', '=', actor.siloId)

export const ipPoolHandlers: Handlers<typeof tables.ipPoolOperations> = {
  async ip_pool_list(ctx) {
    authorize(ctx, 'ip_pool', { siloId: ctx.actor.siloId })
    const { ip_version, pool_type } = ctx.query
    let query = linkedPools(ctx)
    if (ip_version) query = query.where('its.ip_version', '=', ip_version)
    if (pool_type) query = query.where('its.pool_type', '=', pool_type)
    return listPage(ctx.page, query, { name: 'its.name', id: 'its.id' }, view)
  },

  async ip_pool_view(ctx) {
    const { id } = await lookup(ctx, 'ip_pool', ctx.params.pool)
    return view(await linkedPools(ctx).where('its.id', '=', id).executeTakeFirstOrThrow())
  },
}

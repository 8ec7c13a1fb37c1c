import type { Wire } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { listPage } from '../../kernel/paging.ts'
import { lookupSilo, type SiloRow } from './lookup.ts'

const view = (row: SiloRow): Wire.Silo => ({
  id: row.id,
  name: row.name,
  description: row.description,
  identity_mode: row.identity_mode,
  discoverable: row.discoverable === 1,
  mapped_fleet_roles: JSON.parse(row.mapped_fleet_roles) as Wire.Silo['mapped_fleet_roles'],
  admin_group_name: row.admin_group_name,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const siloHandlers: Handlers<'silo_list' | 'silo_view'> = {
  async silo_list(ctx) {
    authorize(ctx, 'fleet', {})
    const query = ctx.db
      .selectFrom('silo')
      .selectAll()
      .where('discoverable', '=', 1)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async silo_view(ctx) {
    return view(await lookupSilo(ctx, ctx.params.silo))
  },
}

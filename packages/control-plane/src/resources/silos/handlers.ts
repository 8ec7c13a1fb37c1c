import type { tables, Wire } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'

const view = (row: Row<'silo'>): Wire.Silo => ({
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

export const siloHandlers: Handlers<typeof tables.siloOperations> = {
  async silo_list(ctx) {
    authorize(ctx, 'fleet', {})
    const rows = rowsOf(ctx.db, 'silo').selectAll().where('discoverable', '=', 1)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, view)
  },

  async silo_view(ctx) {
    return view(await lookup(ctx, 'silo', ctx.params.silo))
  },
}

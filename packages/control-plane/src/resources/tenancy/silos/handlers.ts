import type { tables } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup, requiring } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createSilo } from './create.ts'
import { deleteSilo } from './delete.ts'
import { toWireSilo as toWire } from './wire.ts'

export const siloHandlers: Handlers<typeof tables.siloOperations> = {
  async silo_list(ctx) {
    authorize(ctx, 'fleet', {})
    const rows = rowsOf(ctx.db, 'silo').selectAll().where('discoverable', '=', 1)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  async silo_search(ctx) {
    authorize(ctx, 'fleet', {})
    return searchList(ctx, 'silo', FLEET_ID)
  },

  async silo_create(ctx) {
    authorize(ctx, 'fleet', {})
    const grantsFleetRoles = Object.keys(ctx.body.mapped_fleet_roles ?? {}).length > 0
    if (grantsFleetRoles) authorize(requiring(ctx, { fleet: 'modify' }), 'fleet', {})
    return toWire(await createSilo(ctx, ctx.body))
  },

  async silo_view(ctx) {
    return toWire(await lookup(ctx, 'silo', ctx.params.silo))
  },

  async silo_delete(ctx) {
    await deleteSilo(ctx, await lookup(ctx, 'silo', ctx.params.silo))
  },
}

import type { tables } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { requiring } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createSilo } from './create.ts'
import { deleteSilo } from './delete.ts'
import { toWireSilo as toWire } from './kind.ts'

const silos = usualHandlers('silo', each(toWire))

export const siloHandlers: Handlers<typeof tables.siloOperations> = {
  silo_view: silos.view,
  silo_delete: silos.delete(deleteSilo),

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
}

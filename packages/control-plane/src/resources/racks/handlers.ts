import type { tables, Wire } from '@steading/api'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Handlers } from '../../kernel/context.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { lookup } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'

const view = ({ id, time_created, time_modified }: Row<'rack'>): Wire.Rack => ({
  id,
  time_created,
  time_modified,
})

export const rackHandlers: Handlers<typeof tables.rackOperations> = {
  async rack_list(ctx) {
    authorize(ctx, 'rack', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'rack').selectAll(), { id: 'id' }, view)
  },

  async rack_view(ctx) {
    return view(await lookup(ctx, 'rack', ctx.params.rack_id))
  },
}

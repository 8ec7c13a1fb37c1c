import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { toWireBaseboard } from '../sleds/wire.ts'

const toWire = (row: Row<'rack_switch'>): Wire.Switch => ({
  id: row.id,
  baseboard: toWireBaseboard(row),
  rack_id: row.rack_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const switchHandlers: Handlers<typeof tables.switchOperations> = {
  async switch_list(ctx) {
    authorize(ctx, 'rack_switch', {})
    return listPage(ctx.page, rowsOf(ctx.db, 'rack_switch').selectAll(), { id: 'id' }, toWire)
  },

  async switch_details_list(ctx) {
    authorize(ctx, 'rack_switch', {})
    const rows = await rowsOf(ctx.db, 'rack_switch')
      .selectAll()
      .orderBy('rack_id')
      .orderBy('slot')
      .execute()
    return { items: rows.map((row) => ({ ...toWire(row), slot: row.slot })) }
  },

  async switch_view(ctx) {
    return toWire(await lookup(ctx, 'rack_switch', ctx.params.switch_id))
  },
}

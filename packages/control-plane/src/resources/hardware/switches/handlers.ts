import type { tables, Wire } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { toWireBaseboard } from '../sleds/wire.ts'

const toWire = (row: Row<'rack_switch'>): Wire.Switch => ({
  id: row.id,
  baseboard: toWireBaseboard(row),
  rack_id: row.rack_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

const switches = usualHandlers('rack_switch', each(toWire), 'switch_id')

export const switchHandlers: Handlers<typeof tables.switchOperations> = {
  switch_list: switches.list,
  switch_view: switches.view,

  async switch_details_list(ctx) {
    authorize(ctx, 'rack_switch', {})
    const rows = await rowsOf(ctx.db, 'rack_switch')
      .selectAll()
      .orderBy('rack_id')
      .orderBy('slot')
      .execute()
    return { items: rows.map((row) => ({ ...toWire(row), slot: row.slot })) }
  },
}

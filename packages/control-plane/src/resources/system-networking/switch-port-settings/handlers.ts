import type { tables } from '@steading/api'
import { isUuid, kinds, portSettingsMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf, type Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { deleteSettings } from './kind.ts'
import { putSettings } from './put.ts'
import { toWireDetails, toWireIdentity, toWireSettings } from './wire.ts'

const settings = usualHandlers(
  'switch_port_settings',
  (rows: Row<'switch_port_settings'>[], { db }) =>
    Promise.all(rows.map((row) => toWireSettings(db, row))),
  'port',
)

export const switchPortSettingsHandlers: Handlers<typeof tables.switchPortSettingsOperations> = {
  networking_switch_port_settings_search: settings.search,
  networking_switch_port_settings_view: settings.view,

  async networking_switch_port_settings_list(ctx) {
    authorize(ctx, 'switch_port_settings', {})
    const { port_settings } = ctx.query
    let rows = rowsOf(ctx.db, 'switch_port_settings').selectAll()
    if (port_settings) {
      rows = rows.where(isUuid(port_settings) ? 'its.id' : 'its.name', '=', port_settings)
    }
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireIdentity)
  },

  async networking_switch_port_settings_create(ctx) {
    authorize(ctx, 'switch_port_settings', {})
    return toWireSettings(ctx.db, await putSettings(ctx, ctx.body))
  },

  networking_switch_port_settings_details: async (ctx) =>
    toWireDetails(ctx.db, await settings.find(ctx)),

  async networking_switch_port_settings_delete(ctx) {
    const { port_settings } = ctx.query
    const hidden = () => fail.notFoundByName(kinds.switch_port_settings.type, port_settings!)
    authorize(ctx, 'switch_port_settings', {}, port_settings === undefined ? undefined : hidden)
    if (port_settings === undefined) throw fail.invalidRequest(portSettingsMessages.noSelector)
    const known = await rowsOf(ctx.db, 'switch_port_settings')
      .select('its.id')
      .where(isUuid(port_settings) ? 'its.id' : 'its.name', '=', port_settings)
      .executeTakeFirst()
    if (!known) throw fail.invalidRequest(portSettingsMessages.notFound)
    await deleteSettings(ctx, await lookup(ctx, 'switch_port_settings', known.id))
  },
}

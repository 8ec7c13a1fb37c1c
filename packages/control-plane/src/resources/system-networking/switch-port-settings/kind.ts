import { sql } from 'kysely'
import { PORT_SETTINGS_IN_USE } from '@steading/api/rules'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { releaseAddresses } from '../address-lots/reserve.ts'
import { settingsSummaries } from './wire.ts'
import { switchPortSettingsTables } from './table.ts'

/** @throws ApiError 400 while they are applied to a port */
export async function deleteSettings(
  { db, now, emit }: Writing,
  settings: Row<'switch_port_settings'>,
): Promise<void> {
  if (settings.use === 'applied') throw fail.invalidRequest(PORT_SETTINGS_IN_USE)
  await db.deleteFrom('bgp_peer').where('port_settings_id', '=', settings.id).execute()
  await releaseAddresses(db, 'switch_port_settings', settings.id)
  await changeRow(db, 'switch_port_settings', settings.id, { time_deleted: now.toISOString() })
  await emit('switch_port_settings', 'delete', settings)
}

export const switch_port_settings: StoredKind<'switch_port_settings'> = {
  tables: switchPortSettingsTables,
  live: 'time_deleted is null',
  search: searchOf('networking_switch_port_settings_search', {
    searched: described,
    sorts: usualSorts,
    filters: { geometry: oneOf('geometry'), use: oneOf('use') },
    toWire: (rows: Row<'switch_port_settings'>[], { db }) => settingsSummaries(db, rows),
  }),
  steps: {
    delete: stepOn(
      'switch_port_settings',
      'networking_switch_port_settings_delete',
      deleteSettings,
    ),
  },
  deletion: { columns: {}, state: sql`its.use` },
}

import { sql } from 'kysely'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteSettings } from './delete.ts'
import { settingsSummaries } from './wire.ts'
import { switchPortSettingsTables } from './table.ts'

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

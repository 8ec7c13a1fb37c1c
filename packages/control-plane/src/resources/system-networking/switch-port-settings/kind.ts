import { sql } from 'kysely'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/job-steps.ts'
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
    delete: step('networking_switch_port_settings_delete', async (work, id) =>
      deleteSettings(work, await lookup(work, 'switch_port_settings', id)),
    ),
  },
  deletion: { columns: {}, state: sql`its.use` },
}

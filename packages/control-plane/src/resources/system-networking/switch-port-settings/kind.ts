import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteSettings } from './delete.ts'
import type { SwitchPortSettingsTable } from './table.ts'
import { settingsSummaries } from './view.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    switch_port_settings: SwitchPortSettingsTable
  }
}

storeTable('switch_port_settings', {
  marked: true,
  names: { switch_port_settings_name: kinds.switch_port_settings.type },
})

storeKind('switch_port_settings', {
  table: 'switch_port_settings',
  live: 'time_deleted is null',
  search: searchOf('networking_switch_port_settings_search', {
    searched: described,
    sorts: usualSorts,
    filters: { geometry: oneOf('geometry'), use: oneOf('use') },
    views: (rows: Row<'switch_port_settings'>[], { db }) => settingsSummaries(db, rows),
  }),
  steps: {
    delete: step('networking_switch_port_settings_delete', async (work, id) =>
      deleteSettings(work, await lookup(work, 'switch_port_settings', id)),
    ),
  },
  deletion: { columns: {}, state: sql`its.use` },
})

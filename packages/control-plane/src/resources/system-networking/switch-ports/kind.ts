import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { idsOf, oneOf, present } from '../../../kernel/search/filters.ts'
import { nullableText, searchOf, text } from '../../../kernel/search/search.ts'
import type { SwitchPortTable } from './table.ts'
import { viewPortDetails } from './view.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    switch_port: SwitchPortTable
  }
}

storeTable('switch_port', {
  within: { rack_id: 'rack', port_settings_id: 'switch_port_settings' },
})

storeKind('switch_port', {
  table: 'switch_port',
  live: '1 = 1',
  search: searchOf('networking_switch_port_search', {
    searched: ['name'],
    sorts: {
      name: text('name'),
      natural_name: text('name_key'),
      time_applied: nullableText('time_applied'),
    },
    filters: {
      switch_slot: oneOf('switch_slot'),
      configured: present('port_settings_id'),
      port_settings: idsOf('port_settings_id', 'switch_port_settings'),
    },
    views: (rows: Row<'switch_port'>[], work) => viewPortDetails(work, rows),
  }),
})

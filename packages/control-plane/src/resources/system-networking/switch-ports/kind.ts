import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { idsOf, oneOf, present } from '../../../kernel/search/filters.ts'
import { nullableText, searchOf, text } from '../../../kernel/search/search.ts'
import { toWirePortDetails } from './wire.ts'
import { switchPortTables } from './table.ts'

export const switch_port: StoredKind<'switch_port'> = {
  tables: switchPortTables,
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
    toWire: (rows: Row<'switch_port'>[], work) => toWirePortDetails(work, rows),
  }),
}

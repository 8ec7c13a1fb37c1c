import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { setSummaries } from './announcements.ts'
import { configDetails } from './configs.ts'
import type { BgpAnnounceSetTable, BgpConfigTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    bgp_config: BgpConfigTable
    bgp_announce_set: BgpAnnounceSetTable
  }
}

storeTable('bgp_config', {
  marked: true,
  within: { bgp_announce_set_id: 'bgp_announce_set' },
  names: { bgp_config_name: kinds.bgp_config.type },
})
storeTable('bgp_announce_set', {
  marked: true,
  names: { bgp_announce_set_name: kinds.bgp_announce_set.type },
})
storeTable('bgp_announcement', {
  within: { announce_set_id: 'bgp_announce_set', address_lot_block_id: 'address_lot_block' },
})
storeTable('bgp_peer', {
  within: { bgp_config_id: 'bgp_config', port_settings_id: 'switch_port_settings' },
})

storeKind('bgp_config', {
  table: 'bgp_config',
  live: 'time_deleted is null',
  search: searchOf('networking_bgp_config_search', {
    searched: described,
    sorts: { ...usualSorts, asn: { column: 'asn', kind: 'number', unique: true } },
    filters: {},
    views: (rows: Row<'bgp_config'>[], { db }) => configDetails(db, rows),
  }),
})

storeKind('bgp_announce_set', {
  table: 'bgp_announce_set',
  live: 'time_deleted is null',
  search: searchOf('networking_bgp_announce_set_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    views: (rows: Row<'bgp_announce_set'>[], { db }) => setSummaries(db, rows),
  }),
})

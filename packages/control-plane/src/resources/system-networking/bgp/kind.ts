import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { setSummaries } from './announcements.ts'
import { configDetails } from './configs.ts'
import { bgpConfigTables } from './table.ts'

export const bgp_config: StoredKind<'bgp_config'> = {
  tables: bgpConfigTables,
  live: 'time_deleted is null',
  search: searchOf('networking_bgp_config_search', {
    searched: described,
    sorts: { ...usualSorts, asn: { column: 'asn', kind: 'number', unique: true } },
    filters: {},
    toWire: (rows: Row<'bgp_config'>[], { db }) => configDetails(db, rows),
  }),
}

export const bgp_announce_set: StoredKind<'bgp_announce_set'> = {
  live: 'time_deleted is null',
  search: searchOf('networking_bgp_announce_set_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: (rows: Row<'bgp_announce_set'>[], { db }) => setSummaries(db, rows),
  }),
}

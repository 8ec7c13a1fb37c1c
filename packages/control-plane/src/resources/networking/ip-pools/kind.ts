import { rangesOf } from './addresses.ts'
import { ipPools } from './links.ts'
import { linkedSilos, partsOfPool } from '../pools/relations.ts'
import { sql } from 'kysely'
import { type IpPoolFilling } from '@steading/api/rules'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { addressesInside } from '../pools/handles.ts'
import { deletePool } from './assign.ts'
import { removeRanges } from './ranges.ts'
import { poolUses } from './utilization.ts'
import { toWireIpPool, toWireUtilization, rangeOf } from './wire.ts'
import { ipPoolTables } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    system_ip_pool: 'ip_pool'
  }
}

export const ip_pool: StoredKind<'ip_pool'> = {
  tables: ipPoolTables,
  live: 'time_deleted is null',
  // Callers see only the pools linked to their silo.
  owned: ({ siloId }) =>
    sql<boolean>`its.id in (select ip_pool_id from ip_pool_silo_link where silo_id = ${siloId})`,
  blocks: 'ip_pool_range',
}

export const system_ip_pool: StoredKind<'system_ip_pool'> = {
  table: 'ip_pool',
  live: 'time_deleted is null',
  search: searchOf('system_ip_pool_search', {
    searched: described,
    handles: [addressesInside('ip_pool_range', 'ip_pool_id')],
    sorts: usualSorts,
    filters: {
      version: oneOf('ip_version'),
      type: oneOf('pool_type'),
      assignment: oneOf('assignment'),
    },
    async toWire(rows: Row<'system_ip_pool'>[], { db }) {
      const uses = await poolUses(db, rows)
      return rows.map((row) => ({
        ...toWireIpPool(row),
        utilization: toWireUtilization(uses.get(row.id)!),
      }))
    },
  }),
  steps: {
    delete: stepOn('system_ip_pool', 'system_ip_pool_delete', deletePool),
    empty: stepOn('system_ip_pool', 'system_ip_pool_range_remove', removeRanges),
  },
  deletion: {
    columns: {},
    parts: ({ db }, { id }) =>
      partsOfPool('ip_pool_range', rangesOf(db, id), (row) => {
        const { first, last } = rangeOf(row)
        return first === last ? first : `${first} - ${last}`
      }),
    state: sql<IpPoolFilling>`case
      when its.assignment = 'system_services' and not exists (
        select 1 from ip_pool as other where other.assignment = 'system_services'
          and other.id != its.id and other.time_deleted is null) then 'last'
      when its.allocated > 0 and its.assignment = 'system_services' then 'service'
      when its.allocated > 0 then 'used'
      when exists (select 1 from ip_pool_range where ip_pool_id = its.id) then 'ranges'
      else 'empty' end`,
  },
  relations: [linkedSilos(ipPools)],
}

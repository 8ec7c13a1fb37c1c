import { sql } from 'kysely'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../kernel/db/tables.ts'
import type { IpPoolTable } from './table.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    ip_pool: IpPoolTable
  }
}

storeTable('ip_pool', {
  marked: true,
  names: { ip_pool_name: kinds.ip_pool.type },
})

storeTable('ip_pool_range', {
  within: { ip_pool_id: 'ip_pool' },
})

storeTable('ip_pool_silo_link', {
  within: { ip_pool_id: 'ip_pool', silo_id: 'silo' },
})

storeKind('ip_pool', {
  table: 'ip_pool',
  live: 'time_deleted is null',
  // Callers see only the pools that are linked to their silo.
  owned: ({ siloId }) =>
    sql<boolean>`its.id in (select ip_pool_id from ip_pool_silo_link where silo_id = ${siloId})`,
})

import { sql } from 'kysely'
import type { IpPoolTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    ip_pool: IpPoolTable
  }
}

storeKind('ip_pool', {
  table: 'ip_pool',
  live: 'time_deleted is null',
  // Pools that are linked to the silo of the caller; no others exist for them.
  owned: ({ siloId }) =>
    sql<boolean>`its.id in (select ip_pool_id from ip_pool_silo_link where silo_id = ${siloId})`,
})

import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { storeTable } from '../../kernel/db/tables.ts'
import { storeKind } from '../../kernel/kinds.ts'
import { storeBlocks } from '../pools/blocks.ts'
import { storeBlocks } from '../pools/blocks.ts'
import type { SubnetPoolTable } from './table.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    subnet_pool: SubnetPoolTable
  }
}

storeTable('subnet_pool', {
  marked: true,
  names: { subnet_pool_name: kinds.subnet_pool.type },
})

storeTable('subnet_pool_member', {
  within: { subnet_pool_id: 'subnet_pool' },
})
storeBlocks('subnet_pool_member')
storeBlocks('subnet_pool_member')

storeTable('subnet_pool_silo_link', {
  within: { subnet_pool_id: 'subnet_pool', silo_id: 'silo' },
})

storeKind('subnet_pool', {
  table: 'subnet_pool',
  live: 'time_deleted is null',
  // Callers see only the pools that are linked to their silo.
  owned: ({ siloId }) =>
    sql<boolean>`its.id in (select subnet_pool_id from subnet_pool_silo_link where silo_id = ${siloId})`,
})

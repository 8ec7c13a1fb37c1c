import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { AccessTokenTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    access_token: AccessTokenTable
  }
}

storeTable('access_token', { partOf: { user_id: 'silo_user' } })

storeKind('access_token', { table: 'access_token', live: '1 = 1', parentColumn: 'user_id' })

import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { StarTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    star: StarTable
  }
}

storeTable('star', { partOf: { user_id: 'silo_user' } })

storeKind('star', { table: 'star', live: '1 = 1', parentColumn: 'user_id' })

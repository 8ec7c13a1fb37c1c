import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { ConsoleSessionTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    console_session: ConsoleSessionTable
  }
}

storeTable('console_session', { within: { user_id: 'silo_user' } })

storeKind('console_session', { table: 'console_session', live: '1 = 1', parentColumn: 'user_id' })

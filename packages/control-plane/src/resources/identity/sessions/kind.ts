import type { StoredKind } from '../../../kernel/kinds.ts'
import { consoleSessionTables } from './table.ts'

export const console_session: StoredKind<'console_session'> = {
  tables: consoleSessionTables,
  live: '1 = 1',
  parentColumn: 'user_id',
}

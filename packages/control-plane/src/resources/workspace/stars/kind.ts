import type { StoredKind } from '../../../kernel/kinds.ts'
import { starTables } from './table.ts'

export const star: StoredKind<'star'> = {
  tables: starTables,
  live: '1 = 1',
  parentColumn: 'user_id',
}

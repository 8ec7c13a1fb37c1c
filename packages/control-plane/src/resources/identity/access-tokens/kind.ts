import type { StoredKind } from '../../../kernel/kinds.ts'
import { accessTokenTables } from './table.ts'

export const access_token: StoredKind<'access_token'> = {
  tables: accessTokenTables,
  live: '1 = 1',
  parentColumn: 'user_id',
}

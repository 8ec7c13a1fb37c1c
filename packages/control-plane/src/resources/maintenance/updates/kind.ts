import type { StoredKind } from '../../../kernel/kinds.ts'
import { systemUpdateTables } from './table.ts'

export const system_update: StoredKind<'system_update'> = {
  tables: systemUpdateTables,
  live: '1 = 1',
}

import type { StoredKind } from '../../../kernel/kinds.ts'
import { siloUserTables } from './table.ts'

export const silo_user: StoredKind<'silo_user'> = {
  tables: siloUserTables,
  live: 'time_deleted is null',
}

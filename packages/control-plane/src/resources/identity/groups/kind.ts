import type { StoredKind } from '../../../kernel/kinds.ts'
import { siloGroupTables } from './table.ts'

export const silo_group: StoredKind<'silo_group'> = {
  tables: siloGroupTables,
  live: 'time_deleted is null',
}

import type { StoredKind } from '../../../kernel/kinds.ts'
import { jobTables } from './table.ts'

export const job: StoredKind<'job'> = {
  tables: jobTables,
  live: 'time_deleted is null',
  evenIfLimited: true,
  parentColumn: 'user_id',
}

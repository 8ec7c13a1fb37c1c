import type { StoredKind } from '../../../kernel/kinds.ts'
import { rackMembershipTables } from './table.ts'

export const rack: StoredKind<'rack'> = {
  tables: rackMembershipTables,
  live: '1 = 1',
}

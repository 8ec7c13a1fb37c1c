import type { StoredKind } from '../../../kernel/kinds.ts'
import { scimTokenTables } from './table.ts'

export const scim_token: StoredKind<'scim_token'> = {
  tables: scimTokenTables,
  live: '1 = 1',
}

import type { StoredTables } from '../../../kernel/db/tables.ts'

export const scimTables: StoredTables = { scim_user: { partOf: { user_id: 'silo_user' } } }

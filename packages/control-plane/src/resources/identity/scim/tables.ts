import { storeTable } from '../../../kernel/db/tables.ts'
import './table.ts'

storeTable('scim_user', { partOf: { user_id: 'silo_user' } })

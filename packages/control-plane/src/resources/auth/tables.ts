import { storeTable } from '../../kernel/db/tables.ts'

storeTable('console_session', { within: { user_id: 'silo_user' } })

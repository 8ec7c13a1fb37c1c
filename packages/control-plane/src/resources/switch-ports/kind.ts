import { storeTable } from '../../kernel/db/tables.ts'
import './table.ts'

storeTable('switch_port', { within: { rack_id: 'rack' } })

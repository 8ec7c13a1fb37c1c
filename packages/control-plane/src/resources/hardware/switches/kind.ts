import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { RackSwitchTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    rack_switch: RackSwitchTable
  }
}

storeTable('rack_switch', { within: { rack_id: 'rack' } })
storeKind('rack_switch', { table: 'rack_switch', live: '1 = 1' })

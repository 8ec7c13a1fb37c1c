import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { RackTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    rack: RackTable
  }
}

storeTable('rack', {})
storeTable('rack_membership', { within: { rack_id: 'rack' } })
storeTable('rack_member', { within: { rack_id: 'rack' } })
storeKind('rack', { table: 'rack', live: '1 = 1' })

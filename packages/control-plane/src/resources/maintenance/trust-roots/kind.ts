import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { TrustRootTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    trust_root: TrustRootTable
  }
}

storeTable('trust_root', {})
storeKind('trust_root', { table: 'trust_root', live: '1 = 1' })

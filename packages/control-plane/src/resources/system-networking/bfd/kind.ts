import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { BfdSessionTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    bfd_session: BfdSessionTable
  }
}

storeTable('bfd_session', {})

storeKind('bfd_session', { table: 'bfd_session', live: '1 = 1' })

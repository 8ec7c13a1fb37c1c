import type { SiloTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    silo: SiloTable
  }
}

storeKind('silo', { table: 'silo', live: 'time_deleted is null' })

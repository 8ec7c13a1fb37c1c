import type { SiloGroupTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    silo_group: SiloGroupTable
  }
}

storeKind('silo_group', { table: 'silo_group', live: 'time_deleted is null' })

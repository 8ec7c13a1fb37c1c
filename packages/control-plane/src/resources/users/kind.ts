import type { SiloUserTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    silo_user: SiloUserTable
  }
}

storeKind('silo_user', { table: 'silo_user', live: 'time_deleted is null' })

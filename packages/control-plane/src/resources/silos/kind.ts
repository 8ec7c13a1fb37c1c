import { kinds } from '@steading/api/rules'
import { storeTable } from '../../kernel/db/tables.ts'
import type { SiloTable } from './table.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    silo: SiloTable
  }
}

storeTable('silo', {
  marked: true,
  names: { silo_name: kinds.silo.type },
})

storeKind('silo', { table: 'silo', live: 'time_deleted is null' })

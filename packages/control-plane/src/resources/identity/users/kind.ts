import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { SiloUserTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    silo_user: SiloUserTable
  }
}

storeTable('silo_user', {
  marked: true,
  within: { silo_id: 'silo' },
  names: {
    silo_user_external: { type: kinds.silo_user.type, column: 'external_id' },
    silo_user_user_name: { type: kinds.silo_user.type, column: 'external_id' },
  },
})

storeKind('silo_user', { table: 'silo_user', live: 'time_deleted is null' })

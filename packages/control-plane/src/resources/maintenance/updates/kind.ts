import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { SystemUpdateTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    system_update: SystemUpdateTable
  }
}

storeTable('system_update', {
  within: {
    repository_id: 'update_repository',
    previous_repository_id: 'update_repository',
  },
})
storeKind('system_update', { table: 'system_update', live: '1 = 1' })

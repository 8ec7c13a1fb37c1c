import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { SiloGroupTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    silo_group: SiloGroupTable
  }
}

storeTable('silo_group', {
  marked: true,
  within: { silo_id: 'silo' },
  names: {
    silo_group_display: { type: kinds.silo_group.type, column: 'display_name' },
    silo_group_display_key: { type: kinds.silo_group.type, column: 'display_name' },
  },
})

storeTable('silo_group_membership', {
  within: { group_id: 'silo_group', user_id: 'silo_user' },
})

storeKind('silo_group', { table: 'silo_group', live: 'time_deleted is null' })

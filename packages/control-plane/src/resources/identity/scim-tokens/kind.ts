import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { ScimTokenTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    scim_token: ScimTokenTable
  }
}

storeTable('scim_token', { partOf: { silo_id: 'silo' } })

storeKind('scim_token', { table: 'scim_token', live: '1 = 1' })

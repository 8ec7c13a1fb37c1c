import type { ExternalIpTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    external_ip: ExternalIpTable
  }
}

// Rows are removed with the address.
storeKind('external_ip', { table: 'external_ip', live: '1 = 1' })

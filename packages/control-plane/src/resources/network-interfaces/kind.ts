import type { NetworkInterfaceTable } from '../../kernel/db/schema.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    network_interface: NetworkInterfaceTable
  }
}

storeKind('network_interface', {
  table: 'network_interface',
  // Rows are removed with the interface.
  live: '1 = 1',
})

import { kinds } from '@steading/api/rules'
import { storeTable } from '../../kernel/db/tables.ts'
import type { NetworkInterfaceTable } from './table.ts'
import { storeKind } from '../../kernel/kinds.ts'
import './deletion.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    network_interface: NetworkInterfaceTable
  }
}

storeTable('network_interface', {
  within: { instance_id: 'instance', vpc_id: 'vpc', subnet_id: 'vpc_subnet' },
  names: { network_interface_name: kinds.network_interface.type },
})

storeKind('network_interface', {
  table: 'network_interface',
  // A deleted interface has no row.
  live: '1 = 1',
})

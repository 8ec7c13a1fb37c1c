import { kinds } from '@steading/api/rules'
import { sql } from 'kysely'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { NetworkInterfaceTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteInterface } from './change.ts'
import { holdInterfaces } from './holders.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    network_interface: NetworkInterfaceTable
  }
}

storeTable('network_interface', {
  within: { instance_id: 'instance', vpc_id: 'vpc', subnet_id: 'vpc_subnet' },
  names: { network_interface_name: kinds.network_interface.type },
})

holdInterfaces('network_interface')

storeKind('network_interface', {
  table: 'network_interface',
  // A deleted interface has no row.
  live: '1 = 1',
  steps: {
    delete: step('instance_network_interface_delete', async (work, id) =>
      deleteInterface(work, await lookup(work, 'network_interface', id)),
    ),
  },
  deletion: {
    columns: { instance_id: 'instance_id', vpc_subnet_id: 'subnet_id' },
    earlier: sql`select other.id, its.id as later_id from network_interface as its
      join network_interface as other on other.instance_id = its.instance_id and other.id != its.id
      where its.is_primary = 1`,
  },
})

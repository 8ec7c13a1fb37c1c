import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteInterface } from './change.ts'
import { restoreInterface } from './restore.ts'
import { networkInterfaceTables } from './table.ts'

export const network_interface: StoredKind<'network_interface'> = {
  tables: networkInterfaceTables,
  // A deleted interface has no row.
  live: '1 = 1',
  steps: {
    delete: stepOn('network_interface', 'instance_network_interface_delete', deleteInterface),
  },
  deletion: {
    columns: { instance_id: 'instance_id', vpc_subnet_id: 'subnet_id' },
    earlier: sql`select other.id, its.id as later_id from network_interface as its
      join network_interface as other on other.instance_id = its.instance_id and other.id != its.id
      where its.is_primary = 1`,
    inWay: deletionSentences.interfacesInSubnets,
    detail: sql<string>`(select name from instance where instance.id = its.instance_id)`,
  },
  interfaces: 'network_interface',
  restoredRows: { network_interface: restoreInterface },
  relations: [
    {
      owner: 'instance',
      relation: 'goes',
      pairs: sql`select id, instance_id as owner_id from network_interface`,
      reason: deletionSentences.network_interface,
      detail: sql`coalesce(its.ipv4, its.ipv6)`,
    },
  ],
}

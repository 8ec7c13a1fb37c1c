import { deletionSentences, restoreMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import { deleteSubnet } from './delete.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { restoreSubnet } from './restore.ts'
import { toWireSubnet } from './wire.ts'
import { vpcSubnetTables } from './table.ts'

export const vpc_subnet: StoredKind<'vpc_subnet'> = {
  tables: vpcSubnetTables,
  live: 'time_deleted is null',
  search: searchOf('vpc_subnet_search', {
    searched: [...described, 'ipv4_block', 'ipv6_block'],
    sorts: {
      ...usualSorts,
      // Sorted as addresses, not as texts.
      ipv4_block: { ...text('ipv4_first'), unique: true },
      ipv6_block: { ...text('ipv6_first'), unique: true },
    },
    filters: {},
    toWire: each(toWireSubnet),
  }),
  steps: {
    delete: stepOn('vpc_subnet', 'vpc_subnet_delete', deleteSubnet),
  },
  restoration: {},
  restoredRows: { vpc_subnet: restoreSubnet },
  restoredWithout: { custom_router_id: restoreMessages.noRouter },
  deletion: {
    columns: { vpc_id: 'vpc_id' },
    detail: sql<string>`its.ipv4_block`,
    keptBy: sql`select subnet_id as id, instance_id from network_interface`,
  },
  relations: [
    {
      owner: 'vpc_router',
      relation: 'stays',
      pairs: sql`select id, custom_router_id as owner_id from vpc_subnet`,
      reason: deletionSentences.leftToSystemRouter,
      detail: sql`its.ipv4_block`,
    },
  ],
}

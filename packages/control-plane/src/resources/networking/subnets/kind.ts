import { sql } from 'kysely'
import { lookup } from '../../../kernel/lookup.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteSubnet } from './delete.ts'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { VpcSubnetTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { viewSubnet } from './view.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    vpc_subnet: VpcSubnetTable
  }
}

storeTable('vpc_subnet', {
  marked: true,
  within: { vpc_id: 'vpc', custom_router_id: 'vpc_router' },
  names: { vpc_subnet_name: kinds.vpc_subnet.type },
})

storeKind('vpc_subnet', {
  table: 'vpc_subnet',
  live: 'time_deleted is null',
  search: searchOf('vpc_subnet_search', {
    searched: [...described, 'ipv4_block', 'ipv6_block'],
    sorts: {
      ...usualSorts,
      // As addresses, not as texts.
      ipv4_block: { ...text('ipv4_first'), unique: true },
      ipv6_block: { ...text('ipv6_first'), unique: true },
    },
    filters: {},
    views: each(viewSubnet),
  }),
  steps: {
    delete: step('vpc_subnet_delete', async (work, id) =>
      deleteSubnet(work, await lookup(work, 'vpc_subnet', id)),
    ),
  },
  deletion: {
    columns: { vpc_id: 'vpc_id' },
    keptBy: sql`select subnet_id as id, instance_id from network_interface`,
  },
})

import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { type Row, storeKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { described, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteGateway } from './delete.ts'
import type {
  InternetGatewayIpAddressTable,
  InternetGatewayIpPoolTable,
  InternetGatewayTable,
} from './table.ts'
import { viewListedGateways } from './view.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    internet_gateway: InternetGatewayTable
    internet_gateway_ip_pool: InternetGatewayIpPoolTable
    internet_gateway_ip_address: InternetGatewayIpAddressTable
  }
}

storeTable('internet_gateway', {
  marked: true,
  within: { vpc_id: 'vpc' },
  names: { internet_gateway_name: kinds.internet_gateway.type },
})

storeTable('internet_gateway_ip_pool', {
  marked: true,
  within: { internet_gateway_id: 'internet_gateway' },
  origins: { ip_pool_id: 'ip_pool' },
  names: { internet_gateway_ip_pool_name: kinds.internet_gateway_ip_pool.type },
})

storeTable('internet_gateway_ip_address', {
  marked: true,
  within: { internet_gateway_id: 'internet_gateway' },
  names: { internet_gateway_ip_address_name: kinds.internet_gateway_ip_address.type },
})

storeKind('internet_gateway', {
  table: 'internet_gateway',
  live: 'time_deleted is null',
  search: searchOf('internet_gateway_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    views: (rows: Row<'internet_gateway'>[], { db }) => viewListedGateways(rows, db),
  }),
  steps: {
    // The plan of a job says what goes along.
    delete: step('internet_gateway_delete', async (work, id) =>
      deleteGateway(work, await lookup(work, 'internet_gateway', id), true),
    ),
  },
  deletion: { columns: { vpc_id: 'vpc_id' } },
})

storeKind('internet_gateway_ip_pool', {
  table: 'internet_gateway_ip_pool',
  live: 'time_deleted is null',
})

storeKind('internet_gateway_ip_address', {
  table: 'internet_gateway_ip_address',
  live: 'time_deleted is null',
})

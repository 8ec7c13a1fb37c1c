import { lookup } from '../../kernel/lookup.ts'
import { step } from '../../kernel/steps.ts'
import { deleteVpc } from './delete.ts'
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../kernel/db/tables.ts'
import type { VpcTable } from './table.ts'
import { storeKind } from '../../kernel/kinds.ts'

declare module '../../kernel/kinds.ts' {
  interface KindTables {
    vpc: VpcTable
  }
}

storeTable('vpc', {
  marked: true,
  within: { project_id: 'project', system_router_id: 'vpc_router' },
  names: { vpc_name: kinds.vpc.type },
})

// The parts of a VPC that have no folder of their own.
storeTable('vpc_router', {
  marked: true,
  within: { vpc_id: 'vpc' },
  names: { vpc_router_name: 'vpc-router' },
})

storeTable('router_route', {
  marked: true,
  within: { vpc_router_id: 'vpc_router' },
  names: { router_route_name: 'router-route' },
})

storeTable('internet_gateway', {
  marked: true,
  within: { vpc_id: 'vpc' },
  names: { internet_gateway_name: 'internet-gateway' },
})

storeTable('internet_gateway_ip_pool', {
  marked: true,
  within: { internet_gateway_id: 'internet_gateway' },
  origins: { ip_pool_id: 'ip_pool' },
  names: { internet_gateway_ip_pool_name: 'internet-gateway-ip-pool' },
})

storeKind('vpc', {
  table: 'vpc',
  live: 'time_deleted is null',
  steps: {
    delete: step('vpc_delete', async (work, id) => deleteVpc(work, await lookup(work, 'vpc', id))),
  },
  deletion: { columns: { project_id: 'project_id' } },
})

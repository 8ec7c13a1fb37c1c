import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { SiloSubnetPool, SiloSubnetPoolResultsPage } from './schemas.ts'

const tags = ['subnet-pools']

export const subnetPoolOperations = {
  subnet_pool_list: {
    method: 'GET',
    path: '/v1/subnet-pools',
    tags,
    summary: "List the subnet pools linked to the caller's silo",
    permission: { subnet_pool: 'list' },
    ...paged('name_or_id'),
    success: { status: 200, schema: SiloSubnetPoolResultsPage },
  },
  subnet_pool_view: {
    method: 'GET',
    path: '/v1/subnet-pools/{pool}',
    tags,
    summary: "Show a subnet pool linked to the caller's silo",
    permission: { subnet_pool: 'read' },
    params: { pool: NameOrId },
    success: { status: 200, schema: SiloSubnetPool },
  },
} as const satisfies Record<string, Operation>

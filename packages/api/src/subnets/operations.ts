import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { NameOrId } from '../schema.ts'
import { VpcSubnet, VpcSubnetResultsPage } from './schemas.ts'

const tags = ['vpcs']
const parents = { project: NameOrId.optional(), vpc: NameOrId.optional() }

export const subnetOperations = {
  vpc_subnet_list: {
    method: 'GET',
    path: '/v1/vpc-subnets',
    tags,
    summary: 'List the subnets of a VPC',
    permission: { vpc: 'list' },
    ...paged('name_or_id', parents, ['vpc']),
    success: { status: 200, schema: VpcSubnetResultsPage },
  },
  vpc_subnet_view: {
    method: 'GET',
    path: '/v1/vpc-subnets/{subnet}',
    tags,
    summary: 'Show a subnet',
    permission: { vpc_subnet: 'read' },
    params: { subnet: NameOrId },
    query: parents,
    success: { status: 200, schema: VpcSubnet },
  },
  vpc_subnet_delete: {
    method: 'DELETE',
    path: '/v1/vpc-subnets/{subnet}',
    tags,
    summary: 'Delete a subnet without network interfaces',
    permission: { vpc_subnet: 'modify' },
    params: { subnet: NameOrId },
    query: parents,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>

import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { InstanceNetworkInterfaceResultsPage } from '../network-interfaces/schemas.ts'
import { searched } from '../../searched.ts'
import { VpcSubnet, VpcSubnetCreate, VpcSubnetResultsPage, VpcSubnetUpdate } from './schemas.ts'

const tags = ['vpcs']
const parents = { project: NameOrId.optional(), vpc: NameOrId.optional() }

const vpc_subnet_list = {
  method: 'GET',
  path: '/v1/vpc-subnets',
  tags,
  summary: 'List the subnets of a VPC',
  permission: { vpc: 'list' },
  ...paged('name_or_id', parents, ['vpc']),
  success: { status: 200, schema: VpcSubnetResultsPage },
} as const satisfies Operation

export const subnetOperations = {
  vpc_subnet_list,
  vpc_subnet_search: searched({
    kind: 'VpcSubnet',
    item: VpcSubnet,
    plain: vpc_subnet_list,
    columns: ['name', 'natural_name', 'description', 'ipv4_block', 'ipv6_block', 'time_created'],
    filters: {},
    selectors: parents,
  }),
  vpc_subnet_create: {
    method: 'POST',
    path: '/v1/vpc-subnets',
    tags,
    summary: 'Create a subnet of a VPC',
    permission: { vpc: 'create', vpc_router: 'read' },
    query: { project: NameOrId.optional(), vpc: NameOrId },
    body: VpcSubnetCreate,
    success: { status: 201, schema: VpcSubnet },
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
  vpc_subnet_update: {
    method: 'PUT',
    path: '/v1/vpc-subnets/{subnet}',
    tags,
    summary: 'Rename or describe a subnet, and set or remove its custom router',
    permission: { vpc_subnet: 'modify', vpc_router: 'read' },
    params: { subnet: NameOrId },
    query: parents,
    body: VpcSubnetUpdate,
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
  vpc_subnet_list_network_interfaces: {
    method: 'GET',
    path: '/v1/vpc-subnets/{subnet}/network-interfaces',
    tags,
    summary: 'List the network interfaces in a subnet',
    permission: { vpc_subnet: 'list' },
    params: { subnet: NameOrId },
    ...paged('name_or_id', parents),
    success: { status: 200, schema: InstanceNetworkInterfaceResultsPage },
  },
  vpc_subnet_deletion: {
    method: 'GET',
    path: '/x/v1/vpc-subnets/{subnet}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of a subnet',
    permission: { vpc_subnet: 'read' },
    params: { subnet: NameOrId },
    query: parents,
    success: { status: 200, schema: Deletion },
  },
} as const satisfies Record<string, Operation>

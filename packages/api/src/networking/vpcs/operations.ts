import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { ListedVpc, Vpc, VpcCreate, VpcResultsPage, VpcUpdate } from './schemas.ts'

const tags = ['vpcs']
const params = { vpc: NameOrId }
const query = { project: NameOrId.optional() }

const vpc_list = {
  method: 'GET',
  path: '/v1/vpcs',
  tags,
  summary: 'List the VPCs of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', query, ['project']),
  success: { status: 200, schema: VpcResultsPage },
} as const satisfies Operation

export const vpcOperations = {
  vpc_list,
  vpc_search: searched({
    kind: 'Vpc',
    item: ListedVpc,
    plain: vpc_list,
    columns: ['name', 'natural_name', 'description', 'dns_name', 'time_created'],
    filters: {},
    selectors: query,
  }),
  vpc_create: {
    method: 'POST',
    path: '/v1/vpcs',
    tags,
    summary: 'Create a VPC with its default subnet, router, gateway and firewall rules',
    // Networks require a stronger role than other contents of a project, so the VPC's row decides.
    permission: { project: 'read', vpc: 'modify' },
    query: { project: NameOrId },
    body: VpcCreate,
    success: { status: 201, schema: Vpc },
  },
  vpc_view: {
    method: 'GET',
    path: '/v1/vpcs/{vpc}',
    tags,
    summary: 'Show a VPC',
    permission: { vpc: 'read' },
    params,
    query,
    success: { status: 200, schema: Vpc },
  },
  vpc_update: {
    method: 'PUT',
    path: '/v1/vpcs/{vpc}',
    tags,
    summary: 'Rename or describe a VPC, or change its DNS name',
    permission: { vpc: 'modify' },
    params,
    query,
    body: VpcUpdate,
    success: { status: 200, schema: Vpc },
  },
  vpc_delete: {
    method: 'DELETE',
    path: '/v1/vpcs/{vpc}',
    tags,
    summary: 'Delete a VPC that has no subnets',
    permission: { vpc: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
  vpc_deletion: {
    method: 'GET',
    path: '/x/v1/vpcs/{vpc}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of a VPC',
    permission: { vpc: 'read' },
    params,
    query,
    success: { status: 200, schema: Deletion },
  },
} as const satisfies Record<string, Operation>

import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { NameOrId } from '../schema.ts'
import { Vpc, VpcResultsPage } from './schemas.ts'

const tags = ['vpcs']

export const vpcOperations = {
  vpc_list: {
    method: 'GET',
    path: '/v1/vpcs',
    tags,
    summary: 'List the VPCs of a project',
    permission: { project: 'list' },
    ...paged('name_or_id', { project: NameOrId.optional() }, ['project']),
    success: { status: 200, schema: VpcResultsPage },
  },
  vpc_view: {
    method: 'GET',
    path: '/v1/vpcs/{vpc}',
    tags,
    summary: 'Show a VPC',
    permission: { vpc: 'read' },
    params: { vpc: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: Vpc },
  },
  vpc_delete: {
    method: 'DELETE',
    path: '/v1/vpcs/{vpc}',
    tags,
    summary: 'Delete a VPC that has no subnets',
    permission: { vpc: 'modify' },
    params: { vpc: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>

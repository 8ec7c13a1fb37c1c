import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  SiloSubnetPoolResultsPage,
  SubnetPool,
  SubnetPoolCreate,
  subnetPoolLinks,
  SubnetPoolMember,
  SubnetPoolMemberAdd,
  SubnetPoolMemberRemove,
  SubnetPoolMemberResultsPage,
  SubnetPoolResultsPage,
  SubnetPoolUpdate,
  SubnetPoolUtilization,
  SubnetPoolWithUtilization,
} from './schemas.ts'

const tags = ['system/subnet-pools']
const path = '/v1/system/subnet-pools'
const params = { pool: NameOrId }
const linkParams = { pool: NameOrId, silo: NameOrId }

const read = { system_subnet_pool: 'read' } as const
const modify = { system_subnet_pool: 'modify' } as const

const system_subnet_pool_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List the subnet pools of the fleet',
  permission: { system_subnet_pool: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: SubnetPoolResultsPage },
} as const satisfies Operation

export const systemSubnetPoolOperations = {
  system_subnet_pool_list,
  system_subnet_pool_search: searched({
    kind: 'SubnetPool',
    item: SubnetPoolWithUtilization,
    plain: system_subnet_pool_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: { version: ['v4', 'v6'] },
  }),
  system_subnet_pool_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create a subnet pool',
    permission: { system_subnet_pool: 'create' },
    body: SubnetPoolCreate,
    success: { status: 201, schema: SubnetPool },
  },
  system_subnet_pool_view: {
    method: 'GET',
    path: `${path}/{pool}`,
    tags,
    summary: 'Show a subnet pool',
    permission: read,
    params,
    success: { status: 200, schema: SubnetPool },
  },
  system_subnet_pool_update: {
    method: 'PUT',
    path: `${path}/{pool}`,
    tags,
    summary: 'Rename or describe a subnet pool',
    permission: modify,
    params,
    body: SubnetPoolUpdate,
    success: { status: 200, schema: SubnetPool },
  },
  system_subnet_pool_delete: {
    method: 'DELETE',
    path: `${path}/{pool}`,
    tags,
    summary: 'Delete a subnet pool without members, with its links to silos',
    permission: modify,
    params,
    success: { status: 204 },
  },
  system_subnet_pool_deletion: {
    method: 'GET',
    path: `/x${path}/{pool}/deletion`,
    tags: ['extensions'],
    summary: 'Preview the deletion of a subnet pool',
    permission: { system_subnet_pool: 'read' },
    params,
    success: { status: 200, schema: Deletion },
  },
  system_subnet_pool_member_list: {
    method: 'GET',
    path: `${path}/{pool}/members`,
    tags,
    summary: 'List the members of a subnet pool by their first address',
    permission: read,
    params,
    ...paged('none'),
    success: { status: 200, schema: SubnetPoolMemberResultsPage },
  },
  system_subnet_pool_member_add: {
    method: 'POST',
    path: `${path}/{pool}/members/add`,
    tags,
    summary: 'Add a range of addresses to a subnet pool',
    permission: modify,
    params,
    body: SubnetPoolMemberAdd,
    success: { status: 201, schema: SubnetPoolMember },
  },
  system_subnet_pool_member_remove: {
    method: 'POST',
    path: `${path}/{pool}/members/remove`,
    tags,
    summary: 'Remove a member without external subnets from a subnet pool',
    permission: modify,
    params,
    body: SubnetPoolMemberRemove,
    success: { status: 204 },
  },
  system_subnet_pool_silo_list: {
    method: 'GET',
    path: `${path}/{pool}/silos`,
    tags,
    summary: 'List the silos that a subnet pool is linked to',
    permission: read,
    params,
    ...paged('id'),
    success: { status: 200, schema: subnetPoolLinks.SiloLinkResultsPage },
  },
  system_subnet_pool_silo_link: {
    method: 'POST',
    path: `${path}/{pool}/silos`,
    tags,
    summary: 'Link a subnet pool to a silo, so that its users can allocate subnets from it',
    permission: { ...modify, silo: 'read' },
    params,
    body: subnetPoolLinks.LinkSilo,
    success: { status: 201, schema: subnetPoolLinks.SiloLink },
  },
  system_subnet_pool_silo_update: {
    method: 'PUT',
    path: `${path}/{pool}/silos/{silo}`,
    tags,
    summary: 'Set whether a subnet pool is a default of a silo',
    permission: { ...modify, silo: 'read' },
    params: linkParams,
    body: subnetPoolLinks.SiloUpdate,
    success: { status: 200, schema: subnetPoolLinks.SiloLink },
  },
  system_subnet_pool_silo_unlink: {
    method: 'DELETE',
    path: `${path}/{pool}/silos/{silo}`,
    tags,
    summary: 'Unlink a subnet pool from a silo that uses none of its subnets',
    permission: { ...modify, silo: 'read' },
    params: linkParams,
    success: { status: 204 },
  },
  system_subnet_pool_utilization_view: {
    method: 'GET',
    path: `${path}/{pool}/utilization`,
    tags,
    summary: 'Show the utilization of a subnet pool',
    permission: read,
    params,
    success: { status: 200, schema: SubnetPoolUtilization },
  },
  silo_subnet_pool_list: {
    method: 'GET',
    path: '/v1/system/silos/{silo}/subnet-pools',
    tags: ['system/silos'],
    summary: 'List the subnet pools linked to a silo',
    permission: { silo: 'read', system_subnet_pool: 'list' },
    params: { silo: NameOrId },
    ...paged('name_or_id'),
    success: { status: 200, schema: SiloSubnetPoolResultsPage },
  },
} as const satisfies Record<string, Operation>

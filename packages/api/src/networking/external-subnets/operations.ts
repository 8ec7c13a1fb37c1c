import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, NamesOrIds } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  ExternalSubnet,
  ExternalSubnetAttach,
  ExternalSubnetCreate,
  ExternalSubnetResultsPage,
  ExternalSubnetUpdate,
} from './schemas.ts'

const tags = ['external-subnets']
const params = { external_subnet: NameOrId }
const query = { project: NameOrId.optional() }

const external_subnet_list = {
  method: 'GET',
  path: '/v1/external-subnets',
  tags,
  summary: 'List the external subnets of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', query, ['project']),
  success: { status: 200, schema: ExternalSubnetResultsPage },
} as const satisfies Operation

export const externalSubnetOperations = {
  external_subnet_list,
  external_subnet_search: searched({
    kind: 'ExternalSubnet',
    item: ExternalSubnet,
    plain: external_subnet_list,
    columns: ['name', 'natural_name', 'description', 'subnet', 'time_created'],
    filters: { attached: ['yes', 'no'], pool: NamesOrIds },
    selectors: { project: NameOrId.optional() },
  }),
  external_subnet_create: {
    method: 'POST',
    path: '/v1/external-subnets',
    tags,
    summary: 'Allocate a subnet for a project',
    permission: { project: 'create' },
    query: { project: NameOrId },
    body: ExternalSubnetCreate,
    success: { status: 201, schema: ExternalSubnet },
  },
  external_subnet_view: {
    method: 'GET',
    path: '/v1/external-subnets/{external_subnet}',
    tags,
    summary: 'Show an external subnet',
    permission: { external_subnet: 'read' },
    params,
    query,
    success: { status: 200, schema: ExternalSubnet },
  },
  external_subnet_update: {
    method: 'PUT',
    path: '/v1/external-subnets/{external_subnet}',
    tags,
    summary: 'Rename or describe an external subnet',
    permission: { external_subnet: 'modify' },
    params,
    query,
    body: ExternalSubnetUpdate,
    success: { status: 200, schema: ExternalSubnet },
  },
  external_subnet_delete: {
    method: 'DELETE',
    path: '/v1/external-subnets/{external_subnet}',
    tags,
    summary: 'Release a detached external subnet',
    permission: { external_subnet: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
  external_subnet_attach: {
    method: 'POST',
    path: '/v1/external-subnets/{external_subnet}/attach',
    tags,
    summary: 'Attach an external subnet to an instance',
    permission: { external_subnet: 'modify', instance: 'modify' },
    params,
    query,
    body: ExternalSubnetAttach,
    success: { status: 202, schema: ExternalSubnet },
  },
  external_subnet_detach: {
    method: 'POST',
    path: '/v1/external-subnets/{external_subnet}/detach',
    tags,
    summary: 'Detach an external subnet from its instance',
    permission: { external_subnet: 'modify' },
    params,
    query,
    evenIfFull: true,
    success: { status: 202, schema: ExternalSubnet },
  },
  instance_external_subnet_list: {
    method: 'GET',
    path: '/v1/instances/{instance}/external-subnets',
    tags: ['instances'],
    summary: 'List the external subnets that are attached to an instance',
    permission: { instance: 'list' },
    params: { instance: NameOrId },
    query,
    success: { status: 200, schema: ExternalSubnetResultsPage },
  },
} as const satisfies Record<string, Operation>

import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, NamesOrIds } from '../../schema.ts'
import {
  FloatingIp,
  FloatingIpAttach,
  FloatingIpCreate,
  FloatingIpResultsPage,
  FloatingIpUpdate,
} from './schemas.ts'
import { searched } from '../../searched.ts'

const tags = ['floating-ips']
const params = { floating_ip: NameOrId }
const query = { project: NameOrId.optional() }

const floating_ip_list = {
  method: 'GET',
  path: '/v1/floating-ips',
  tags,
  summary: 'List the floating IPs of a project',
  permission: { project: 'list' },
  ...paged('name_or_id', query, ['project']),
  success: { status: 200, schema: FloatingIpResultsPage },
} as const satisfies Operation

export const floatingIpOperations = {
  floating_ip_list,
  floating_ip_search: searched({
    kind: 'FloatingIp',
    item: FloatingIp,
    plain: floating_ip_list,
    columns: ['name', 'natural_name', 'description', 'ip', 'time_created'],
    filters: { attached: ['yes', 'no'], pool: NamesOrIds },
    selectors: { project: NameOrId.optional() },
  }),
  floating_ip_create: {
    method: 'POST',
    path: '/v1/floating-ips',
    tags,
    summary: 'Reserve an address for a project',
    permission: { project: 'create' },
    query: { project: NameOrId },
    body: FloatingIpCreate,
    success: { status: 201, schema: FloatingIp },
  },
  floating_ip_view: {
    method: 'GET',
    path: '/v1/floating-ips/{floating_ip}',
    tags,
    summary: 'Show a floating IP',
    permission: { floating_ip: 'read' },
    params,
    query,
    success: { status: 200, schema: FloatingIp },
  },
  floating_ip_update: {
    method: 'PUT',
    path: '/v1/floating-ips/{floating_ip}',
    tags,
    summary: 'Rename or describe a floating IP',
    permission: { floating_ip: 'modify' },
    params,
    query,
    body: FloatingIpUpdate,
    success: { status: 200, schema: FloatingIp },
  },
  floating_ip_delete: {
    method: 'DELETE',
    path: '/v1/floating-ips/{floating_ip}',
    tags,
    summary: 'Release the address of a detached floating IP',
    permission: { floating_ip: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
  floating_ip_attach: {
    method: 'POST',
    path: '/v1/floating-ips/{floating_ip}/attach',
    tags,
    summary: 'Attach a floating IP to an instance',
    permission: { floating_ip: 'modify', instance: 'modify' },
    params,
    query,
    body: FloatingIpAttach,
    success: { status: 202, schema: FloatingIp },
  },
  floating_ip_detach: {
    method: 'POST',
    path: '/v1/floating-ips/{floating_ip}/detach',
    tags,
    summary: 'Detach a floating IP from its instance',
    permission: { floating_ip: 'modify' },
    params,
    query,
    evenIfFull: true,
    success: { status: 202, schema: FloatingIp },
  },
} as const satisfies Record<string, Operation>

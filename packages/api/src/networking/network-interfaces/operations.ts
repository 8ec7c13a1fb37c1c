import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import {
  InstanceNetworkInterface,
  InstanceNetworkInterfaceCreate,
  InstanceNetworkInterfaceResultsPage,
  InstanceNetworkInterfaceUpdate,
} from './schemas.ts'

const tags = ['instances']
const parents = { instance: NameOrId.optional(), project: NameOrId.optional() }

export const networkInterfaceOperations = {
  instance_network_interface_list: {
    method: 'GET',
    path: '/v1/network-interfaces',
    tags,
    summary: 'List the network interfaces of an instance',
    permission: { instance: 'list' },
    ...paged('name_or_id', parents, ['instance']),
    success: { status: 200, schema: InstanceNetworkInterfaceResultsPage },
  },
  instance_network_interface_view: {
    method: 'GET',
    path: '/v1/network-interfaces/{interface}',
    tags,
    summary: 'Show a network interface',
    permission: { network_interface: 'read' },
    params: { interface: NameOrId },
    query: parents,
    success: { status: 200, schema: InstanceNetworkInterface },
  },
  instance_network_interface_create: {
    method: 'POST',
    path: '/v1/network-interfaces',
    tags,
    summary: 'Add a network interface to a stopped instance',
    permission: { instance: 'modify', vpc_subnet: 'read' },
    query: { instance: NameOrId, project: NameOrId.optional() },
    body: InstanceNetworkInterfaceCreate,
    success: { status: 201, schema: InstanceNetworkInterface },
  },
  instance_network_interface_update: {
    method: 'PUT',
    path: '/v1/network-interfaces/{interface}',
    tags,
    summary: 'Change a network interface of a stopped instance',
    permission: { network_interface: 'modify' },
    params: { interface: NameOrId },
    query: parents,
    body: InstanceNetworkInterfaceUpdate,
    success: { status: 200, schema: InstanceNetworkInterface },
  },
  instance_network_interface_delete: {
    method: 'DELETE',
    path: '/v1/network-interfaces/{interface}',
    tags,
    summary: 'Remove a network interface from a stopped or failed instance',
    permission: { network_interface: 'modify' },
    params: { interface: NameOrId },
    query: parents,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>

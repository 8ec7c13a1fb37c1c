import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { NameOrId } from '../schema.ts'
import { InstanceNetworkInterface, InstanceNetworkInterfaceResultsPage } from './schemas.ts'

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
} as const satisfies Record<string, Operation>

import { NameOrId } from '../../schema.ts'
import {
  InstanceNetworkInterface,
  InstanceNetworkInterfaceCreate,
  InstanceNetworkInterfaceUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const networkInterfaceOperations = usual('network_interface', {
  item: InstanceNetworkInterface,
  id: 'instance_network_interface',
  path: '/v1/network-interfaces/{interface}',
  tag: 'instances',
  selectors: ['instance', 'project'],
})({
  instance_network_interface_list: { required: ['instance'] },
  instance_network_interface_view: {},
  instance_network_interface_create: {
    summary: 'Add a network interface to a stopped instance',
    permission: { instance: 'modify', vpc_subnet: 'read' },
    query: { instance: NameOrId, project: NameOrId.optional() },
    body: InstanceNetworkInterfaceCreate,
  },
  instance_network_interface_update: {
    summary: 'Change a network interface of a stopped instance',
    body: InstanceNetworkInterfaceUpdate,
    changes: ['instance'],
  },
  instance_network_interface_delete: {
    summary: 'Remove a network interface from a stopped or failed instance',
    changes: ['instance'],
  },
})

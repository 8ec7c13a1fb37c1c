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
  list: { required: ['instance'] },
  view: {},
  create: {
    summary: 'Add a network interface to a stopped instance',
    permission: { instance: 'modify', vpc_subnet: 'read' },
    query: { instance: NameOrId, project: NameOrId.optional() },
    body: InstanceNetworkInterfaceCreate,
  },
  update: {
    summary: 'Change a network interface of a stopped instance',
    body: InstanceNetworkInterfaceUpdate,
  },
  delete: { summary: 'Remove a network interface from a stopped or failed instance' },
})

import { computing } from '../rules/roles.ts'
import type { Kind } from '../rules/kind.ts'

export const network_interface = {
  type: 'instance-network-interface',
  words: 'network interface',
  resource: 'network-interfaces',
  access: computing,
  parent: 'instance',
  selectors: {
    both: 'when providing network_interface as an id instance and project should not be specified',
    neither: 'network_interface should either be a UUID or instance should be specified',
  },
  reads: ['instance_network_interface_list', 'instance_network_interface_view'],
} as const satisfies Kind

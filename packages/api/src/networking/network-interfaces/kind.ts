import { instanceActions, instanceCan, instanceStops } from '../../compute/instances/rules.ts'
import { PRIMARY_STAYS } from './actions.ts'
import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

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
  reads: [
    'instance_network_interface_list',
    'instance_network_interface_view',
    'vpc_subnet_list_network_interfaces',
    'vpc_subnet_deletion',
    'vpc_deletion',
  ],
  deletion: {
    after: ['instance'],
    goesWith: 'instance',
    obstacle({ holder, othersStay }) {
      if (othersStay) return { reason: PRIMARY_STAYS, steps: [] }
      if (!holder || instanceCan('deleteNic', holder.state)) return undefined
      return {
        held: true,
        reason: instanceActions.deleteNic.otherwise,
        steps: instanceStops(holder.state) ? ['stop'] : [],
      }
    },
  },
} as const satisfies Kind

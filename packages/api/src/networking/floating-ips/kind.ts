import { addressesMayChange, floatingIpCannotDelete } from './rules.ts'
import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

export const floating_ip = {
  words: 'floating IP',
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing Floating IP as an ID project should not be specified',
    neither: 'Floating IP should either be UUID or project should be specified',
  },
  listed: true,
  reads: ['issue_list', 'instance_external_ip_list', 'system_ip_pool_utilization_view'],
  bulk: ['detach', 'delete'],
  deletion: {
    inProject: 'floating ip',
    after: ['instance'],
    cascades: [],
    refusal: 'Floating IP cannot be deleted while attached to an instance',
    obstacle({ holder }) {
      if (!holder) return undefined
      return {
        held: true,
        reason: floatingIpCannotDelete('attached')!,
        steps: addressesMayChange(holder.state) ? ['detach'] : [],
      }
    },
  },
} as const satisfies Kind

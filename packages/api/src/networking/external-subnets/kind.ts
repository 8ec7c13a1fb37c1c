import { externalSubnetCannotDelete, externalSubnetMessages } from './rules.ts'
import { addressesMayChange } from '../floating-ips/rules.ts'
import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

export const external_subnet = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing external subnet as an ID project should not be specified',
    neither: 'external subnet should either be a UUID or project should be specified',
  },
  listed: true,
  reads: ['issue_list', 'instance_external_subnet_list'],
  bulk: ['detach', 'delete'],
  deletion: {
    inProject: 'external subnet',
    after: ['instance'],
    cascades: [],
    refusal: externalSubnetMessages.attached,
    obstacle({ holder }) {
      if (!holder) return undefined
      return {
        held: true,
        reason: externalSubnetCannotDelete('attached')!,
        steps: addressesMayChange(holder.state) ? ['detach'] : [],
      }
    },
  },
} as const satisfies Kind

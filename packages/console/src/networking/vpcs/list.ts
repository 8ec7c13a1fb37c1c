import type { ListedVpc, Vpc } from '@steading/api/client'
import type { ListDefinition } from '../../data/lists.ts'

export const vpcListDefinition: ListDefinition<'vpcList'> = {
  kind: 'vpc',
  id: 'vpcs',
  operation: 'vpcList',
  searched: 'vpcSearch',
}

/** With the number of its firewall rules, if the control plane sends it. */
export type VpcRow = Vpc & Partial<Pick<ListedVpc, 'firewallRuleCount'>>

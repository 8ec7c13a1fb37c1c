import type { AntiAffinityGroup, ListedAntiAffinityGroup } from '@steading/api/client'
import { affinityPolicies } from '@steading/api/rules'
import type { ListDefinition } from '../data/lists.ts'

export const groupListDefinition: ListDefinition<'antiAffinityGroupList'> = {
  kind: 'anti_affinity_group',
  id: 'affinity',
  operation: 'antiAffinityGroupList',
  searched: 'antiAffinityGroupSearch',
  filters: { policy: affinityPolicies },
}

/** With the number of its members, if the control plane sends it. */
export type GroupRow = AntiAffinityGroup & Partial<Pick<ListedAntiAffinityGroup, 'memberCount'>>

import type { ListedAntiAffinityGroup } from '@steading/api/client'
import { affinityPolicies, affinityTypes } from '@steading/api/rules'
import { joinedWith } from '../../data/joined-list.ts'
import type { ListDefinition } from '../../data/lists.ts'
import type { Group, GroupKind } from './group-kinds.ts'

export const groupListDefinition: ListDefinition<'antiAffinityGroupList' | 'affinityGroupList'> = {
  kind: 'anti_affinity_group',
  id: 'affinity',
  operation: 'antiAffinityGroupList',
  searched: 'antiAffinityGroupSearch',
  joined: joinedWith({
    kind: 'affinity_group',
    operation: 'affinityGroupList',
    searched: 'affinityGroupSearch',
  }),
  filters: { type: affinityTypes, policy: affinityPolicies },
}

/**
 * With the number of its members, if the control plane sends it. The rows that are joined to those of
 * the anti-affinity groups say their kind.
 */
export type GroupRow = Group &
  Partial<Pick<ListedAntiAffinityGroup, 'memberCount'>> & { kind?: GroupKind }

export const kindOfGroup = ({ kind = 'anti_affinity_group' }: GroupRow): GroupKind => kind

import type { MulticastGroup } from '@steading/api/client'
import { multicastGroupStates } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

/** Rows of a searched list say how many members there are; others leave it out. */
export type GroupRow = MulticastGroup & { memberCount?: number }

export const multicastGroupListDefinition: ListDefinition<'multicastGroupList'> = {
  kind: 'multicast_group',
  id: 'multicast-groups',
  operation: 'multicastGroupList',
  searched: 'multicastGroupSearch',
  filters: { version: ['v4', 'v6'], state: [...multicastGroupStates] },
}

import type { MulticastGroup } from '@steading/api/client'
import { multicastGroupStates } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { type InstanceParams, unlessDeleting } from '../../compute/instances/queries.ts'
import { ALL_ITEMS, apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { useMulticast, withPlainFallback } from '../../data/capabilities.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** A multicast group; rows of searched lists include the number of members. */
export type GroupRow = MulticastGroup & { memberCount?: number }

export const multicastGroupListDefinition: ListDefinition<'multicastGroupList'> = {
  kind: 'multicast_group',
  id: 'multicast-groups',
  operation: 'multicastGroupList',
  filters: { version: ['v4', 'v6'], state: [...multicastGroupStates] },
}

/** All groups, for pickers. */
export const multicastGroupsQuery = apiQuery('multicastGroupList', {
  query: { limit: ALL_ITEMS },
})

export const multicastGroupQuery = (multicastGroup: string) =>
  apiQuery('multicastGroupView', { path: { multicastGroup } })

export function multicastMembersQuery(multicastGroup: string, search: string, pageToken?: string) {
  const path = { multicastGroup }
  const query = { limit: PAGE_SIZE, pageToken }
  return withPlainFallback(
    'lists',
    apiQuery('multicastGroupMemberDetailsList', {
      path,
      query: { ...query, search: search || undefined },
    }),
    apiQuery('multicastGroupMemberList', { path, query }),
  )
}

/** The memberships of an instance. */
export const instanceMulticastGroupsQuery = ({ project, instance }: InstanceParams) => ({
  ...apiQuery('instanceMulticastGroupList', {
    path: { instance },
    query: { project, limit: ALL_ITEMS },
  }),
  ...unlessDeleting({ project, instance }),
})

/** Why no instance can join a group; undefined if one can, or if only the server knows. */
export const useMulticastOff = (): string | undefined =>
  useMulticast() ? undefined : 'Multicast is turned off'

export const useGroupParam = (): string =>
  useParams({ from: '/shell/silo/multicast-groups-crumb/multicast-groups/$group' }).group

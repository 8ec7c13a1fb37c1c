import type { ListedAntiAffinityGroup } from '@steading/api/client'
import { affinityPolicies, affinityTypes } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery, queryClient } from '../../data/api.ts'
import { isMissing, isNotOffered } from '../../data/errors.ts'
import { joinedWith } from '../../data/joined-list.ts'
import type { ListDefinition } from '../../data/lists.ts'
import {
  unlessDeleting as unlessDeletingInstance,
  type InstanceParams,
} from '../instances/queries.ts'
import { type Group, type GroupKind, groupArgument, type GroupParams } from './group-kinds.ts'

export const groupListDefinition: ListDefinition<'antiAffinityGroupList' | 'affinityGroupList'> = {
  kind: 'anti_affinity_group',
  id: 'affinity',
  operation: 'antiAffinityGroupList',
  joined: joinedWith({
    kind: 'affinity_group',
    operation: 'affinityGroupList',
  }),
  filters: { type: affinityTypes, policy: affinityPolicies },
}

/**
 * A group, with its member count if the control plane sends it. Rows of affinity groups carry their
 * kind when they are merged with anti-affinity groups.
 */
export type GroupRow = Group &
  Partial<Pick<ListedAntiAffinityGroup, 'memberCount'>> & { kind?: GroupKind }

export const kindOfGroup = ({ kind = 'anti_affinity_group' }: GroupRow): GroupKind => kind

/** The group of the page; its kind follows from the route parameter. */
export function useGroupParams(): GroupParams {
  const { project = '', ...named } = useParams({ strict: false })
  return named.affinityGroup === undefined
    ? { kind: 'anti_affinity_group', project, group: named.antiAffinityGroup ?? '' }
    : { kind: 'affinity_group', project, group: named.affinityGroup }
}

const keyOf = ({ kind, project, group }: GroupParams) => `${kind}/${project}/${group}`

/** Groups being deleted by this tab: the deletion event must not refetch them. */
const deleting = new Set<string>()
export const markGroupDeleting = (params: GroupParams): void => void deleting.add(keyOf(params))
export const unmarkGroupDeleting = (params: GroupParams): void =>
  void deleting.delete(keyOf(params))

const unlessDeleting = (params: GroupParams) => ({ enabled: () => !deleting.has(keyOf(params)) })

const lists = {
  anti_affinity_group: 'antiAffinityGroupList',
  affinity_group: 'affinityGroupList',
} as const
export const groupViews = {
  anti_affinity_group: 'antiAffinityGroupView',
  affinity_group: 'affinityGroupView',
} as const
const memberLists = {
  anti_affinity_group: 'antiAffinityGroupMemberList',
  affinity_group: 'affinityGroupMemberList',
} as const
const instanceLists = {
  anti_affinity_group: 'instanceAntiAffinityGroupList',
  affinity_group: 'instanceAffinityGroupList',
} as const

/** Some control planes have only anti-affinity groups, so a 404 is a valid answer. */
const mayLack = (kind: GroupKind) => ({ allow404: kind === 'affinity_group' })
/** Whether a read failed because the control plane does not have groups of this kind. */
export const lacksGroups = (error: unknown): boolean => isMissing(error) || isNotOffered(error)

export const groupsQuery = (kind: GroupKind, project: string) =>
  apiQuery(lists[kind], { query: { project, limit: ALL_ITEMS } }, mayLack(kind))

/** The arguments of the operations about one group. */
export const groupArgs = (params: GroupParams) => ({
  path: groupArgument(params),
  query: { project: params.project },
})

export const groupQuery = (params: GroupParams) => ({
  ...apiQuery(groupViews[params.kind], groupArgs(params)),
  ...unlessDeleting(params),
})

export const membersQuery = (params: GroupParams) => ({
  ...apiQuery(memberLists[params.kind], {
    path: groupArgument(params),
    query: { project: params.project, limit: ALL_ITEMS },
  }),
  ...unlessDeleting(params),
})

const PAGE_GOES_WITHIN = 1000

/**
 * Removes a deleted group from the cache after leaving its page: another group may reuse its name.
 */
export async function forgetGroup(params: GroupParams): Promise<void> {
  queryClient.setQueryData(membersQuery(params).queryKey, { items: [], nextPage: null })
  const { queryKey } = groupQuery(params)
  const shown = () => queryClient.getQueryCache().find({ queryKey })?.getObserversCount()
  const until = Date.now() + PAGE_GOES_WITHIN
  while (shown() && Date.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
  if (!shown()) queryClient.removeQueries({ queryKey })
  unmarkGroupDeleting(params)
}

/** The groups of one kind that an instance is a member of. */
export const instanceGroupsQuery = (kind: GroupKind, params: InstanceParams) => ({
  ...apiQuery(
    instanceLists[kind],
    {
      path: { instance: params.instance },
      query: { project: params.project, limit: ALL_ITEMS },
    },
    mayLack(kind),
  ),
  ...unlessDeletingInstance(params),
})

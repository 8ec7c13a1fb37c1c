import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery, queryClient } from '../data/api.ts'
import {
  unlessLeaving as unlessLeavingInstance,
  type InstanceParams,
} from '../instances/queries.ts'

/** The path parameters of a group's page. */
export type GroupParams = { project: string; antiAffinityGroup: string }

export function useGroupParams(): GroupParams {
  const { project, antiAffinityGroup } = useParams({
    from: '/shell/projects-crumb/projects/$project/affinity-crumb/affinity/$antiAffinityGroup',
  })
  return { project, antiAffinityGroup }
}

const keyOf = ({ project, antiAffinityGroup }: GroupParams) => `${project}/${antiAffinityGroup}`

/** Groups that this tab deletes: the event of their deletion must not read them again. */
const leaving = new Set<string>()
export const leaveGroup = (params: GroupParams): void => void leaving.add(keyOf(params))
export const stayAtGroup = (params: GroupParams): void => void leaving.delete(keyOf(params))

const unlessLeaving = (params: GroupParams) => ({ enabled: () => !leaving.has(keyOf(params)) })

export const groupsQuery = (project: string) =>
  apiQuery('antiAffinityGroupList', { query: { project, limit: ALL_ITEMS } })

export const groupQuery = (params: GroupParams) => ({
  ...apiQuery('antiAffinityGroupView', {
    path: { antiAffinityGroup: params.antiAffinityGroup },
    query: { project: params.project },
  }),
  ...unlessLeaving(params),
})

export const membersQuery = (params: GroupParams) => ({
  ...apiQuery('antiAffinityGroupMemberList', {
    path: { antiAffinityGroup: params.antiAffinityGroup },
    query: { project: params.project, limit: ALL_ITEMS },
  }),
  ...unlessLeaving(params),
})

const PAGE_GOES_WITHIN = 1000

/** Removes a deleted group from the cache once its page is left: another group may get its name. */
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
  stayAtGroup(params)
}

/** The groups an instance is in. */
export const instanceGroupsQuery = (params: InstanceParams) => ({
  ...apiQuery('instanceAntiAffinityGroupList', {
    path: { instance: params.instance },
    query: { project: params.project, limit: ALL_ITEMS },
  }),
  ...unlessLeavingInstance(params),
})

/** Invalidates what a change of membership makes stale. */
export const membershipReads = [
  'antiAffinityGroupList',
  'antiAffinityGroupMemberList',
  'instanceAntiAffinityGroupList',
] as const

import type { CurrentUser, GroupDetails, User, UserDetails } from '@steading/api/client'
import { apiQuery, optional, PAGE_SIZE, prefetch, queryClient } from '../../data/api.ts'
import { currentUserQuery } from '../../data/session.ts'

/** @param silo name or id; defaults to the user's own */
export const usersQuery = (
  {
    silo,
    search,
    group,
    factor,
    state,
  }: { silo?: string; search?: string; group?: string; factor?: string; state?: string },
  pageToken?: string,
) =>
  apiQuery('userDetailsList', {
    query: {
      silo,
      search: search || undefined,
      group,
      secondFactor: factor,
      state,
      limit: PAGE_SIZE,
      pageToken,
    },
  })

export const groupsQuery = (search: string, pageToken?: string) =>
  apiQuery('groupDetailsList', {
    query: { search: search || undefined, limit: PAGE_SIZE, pageToken },
  })

export const userQuery = (userId: string) => apiQuery('userDetailsView', { path: { userId } })
export const groupQuery = (groupId: string) => apiQuery('groupDetailsView', { path: { groupId } })

/** For breadcrumbs; the page's loader has read the user or the group. */
export const nameOfUser = (userId: string): string =>
  queryClient.getQueryData<UserDetails>(userQuery(userId).queryKey)?.displayName ?? 'User'
export const nameOfGroup = (groupId: string): string =>
  queryClient.getQueryData<GroupDetails>(groupQuery(groupId).queryKey)?.displayName ?? 'Group'

/** Maximum number of rows in a page's cards. */
const MANY = { limit: 1000 }
export const groupsOfUserQuery = (userId: string) =>
  apiQuery('userGroupList', { path: { userId }, query: MANY })
export const sessionsOfUserQuery = (userId: string) =>
  apiQuery('userSessionList', { path: { userId }, query: MANY })
export const tokensOfUserQuery = (userId: string) =>
  apiQuery('userTokenList', { path: { userId }, query: MANY })
export const keysOfUserQuery = (userId: string) =>
  apiQuery('userSshKeyList', { path: { userId }, query: MANY })

export const accessOfUserQuery = (userId: string) =>
  apiQuery('userAccessView', { path: { userId } })

/** The signed-in user's silo, whose settings tell where its users come from. */
export const ownSiloQuery = ({ siloName }: Pick<CurrentUser, 'siloName'>) =>
  apiQuery('siloView', { path: { silo: siloName } })

/** Reads for administrators whether people can be invited, so that the button is there at once. */
export async function prefetchOwnSilo(): Promise<void> {
  const me = await queryClient.ensureQueryData(currentUserQuery)
  if (me.siloAdmin) await prefetch(optional(ownSiloQuery(me)))
}

export type Named = Pick<User, 'id' | 'displayName'>

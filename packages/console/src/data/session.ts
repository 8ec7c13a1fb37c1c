import { useQuery } from '@tanstack/react-query'
import { apiQuery, apiQueryErrorsAllowed, usePrefetchedQuery } from './api.ts'
import { currentCapabilities } from './capabilities.ts'
import { client, leave } from './client.ts'
import { discardAllDrafts } from './draft.ts'
import { goToLogin } from './errors.ts'

const FRESH_FOR = 60_000

export const currentUserQuery = apiQuery('currentUserView', {}, { staleTime: FRESH_FOR })
export const currentGroupsQuery = apiQuery('currentUserGroups', {}, { staleTime: FRESH_FOR })

/**
 * If the control plane does not report `fleetViewer`, a user who can read the fleet's policy is
 * one.
 */
const fleetPolicyQuery = apiQueryErrorsAllowed('systemPolicyView', {}, { staleTime: FRESH_FOR })

export const useCurrentUser = () => usePrefetchedQuery(currentUserQuery).data

export function useFleetViewer(): boolean {
  const reported = useCurrentUser().fleetViewer as boolean | undefined
  const policy = useQuery({ ...fleetPolicyQuery, enabled: reported === undefined })
  return reported ?? policy.data?.type === 'success'
}

/**
 * A failure is not shown: the user gets to the login page either way, or first to the provider of
 * the session.
 */
export async function signOut(): Promise<void> {
  const { oidc } = await currentCapabilities()
  leave()
  const answer = await (oidc ? client.signOut({}) : client.logout({})).catch(() => {})
  discardAllDrafts()
  const url = answer?.type === 'success' && answer.data?.providerUrl
  if (url) location.assign(url)
  else goToLogin({ andBack: false })
}

/** Whether the user has a password, and whether the control plane generated it. */
export const ownPasswordQuery = apiQuery('currentUserPasswordView', {})

import { useQuery } from '@tanstack/react-query'
import { apiQuery, apiQueryErrorsAllowed, usePrefetchedQuery } from './api.ts'
import { client } from './client.ts'
import { goToLogin } from './errors.ts'

const FRESH_FOR = 60_000

export const currentUserQuery = apiQuery('currentUserView', {}, { staleTime: FRESH_FOR })
export const currentGroupsQuery = apiQuery('currentUserGroups', {}, { staleTime: FRESH_FOR })

/** Control planes that do not report `fleetViewer` tell it by whether the fleet's policy is readable. */
const fleetPolicyQuery = apiQueryErrorsAllowed('systemPolicyView', {}, { staleTime: FRESH_FOR })

export const useCurrentUser = () => usePrefetchedQuery(currentUserQuery).data

export function useFleetViewer(): boolean {
  const reported = useCurrentUser().fleetViewer as boolean | undefined
  const policy = useQuery({ ...fleetPolicyQuery, enabled: reported === undefined })
  return reported ?? policy.data?.type === 'success'
}

/** Failure shows nothing: the login page is where the person wants to be either way. */
export async function signOut(): Promise<void> {
  await client.logout().catch(() => {})
  goToLogin({ andBack: false })
}

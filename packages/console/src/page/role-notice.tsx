import { useQuery } from '@tanstack/react-query'
import { apiQueryErrorsAllowed } from '../data/api.ts'
import { ApiError } from '../data/errors.ts'
import { Banner } from '../ui/banner.tsx'

/** Under a refusal: the user has no role at all. */
export const RoleNotice = ({ error }: { error: unknown }) =>
  error instanceof ApiError && error.statusCode === 403 ? <NoRoleNotice /> : null

/** A user without groups and roles probably signed in through a misconfigured identity provider. */
function NoRoleNotice() {
  const user = useQuery(apiQueryErrorsAllowed('currentUserView', {})).data
  const groups = useQuery(apiQueryErrorsAllowed('currentUserGroups', {})).data
  const policy = useQuery(apiQueryErrorsAllowed('policyView', {})).data
  if (user?.type !== 'success' || groups?.type !== 'success' || policy?.type !== 'success')
    return null
  const assigned = policy.data.roleAssignments.some(({ identityId }) => identityId === user.data.id)
  if (assigned || groups.data.items.length > 0) return null
  return (
    <Banner variant="notice" className="mt-4 max-w-md text-start">
      You are not in any groups and have no role on the silo. This usually means the identity
      provider is not set up correctly.
    </Banner>
  )
}

import { type Action, expandRoles, type KindName, permissionProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQueryErrorsAllowed } from './api.ts'
import { currentGroupsQuery, useCurrentUser } from './session.ts'

const siloPolicyQuery = apiQueryErrorsAllowed('policyView', {})
const projectPolicyQuery = (project: string) =>
  apiQueryErrorsAllowed('projectPolicyView', { path: { project } })

/**
 * Tells why the user may not do something to things of a kind in a project. Nothing is said as long
 * as their roles are not known, for example because they may not read a policy: then the server
 * decides. Each call of this hook reads policies, so it is for what is open, not for rows.
 */
export function usePermissions(
  project: string | undefined,
): (kind: KindName, action: Action) => string | undefined {
  const user = useCurrentUser()
  const groups = useQuery(currentGroupsQuery).data
  const silo = useQuery(siloPolicyQuery).data
  const inProject = useQuery({
    ...projectPolicyQuery(project ?? ''),
    enabled: project !== undefined,
  }).data
  const isKnown =
    groups &&
    !groups.nextPage &&
    silo?.type === 'success' &&
    (project === undefined || inProject?.type === 'success')
  if (!isKnown) return () => undefined
  const identities = new Set([user.id, ...groups.items.map(({ id }) => id)])
  const given = <Role>(assignments: { identityId: string; roleName: Role }[]): Role[] =>
    assignments
      .filter(({ identityId }) => identities.has(identityId))
      .map(({ roleName }) => roleName)
  const held = expandRoles({
    fleet: [],
    silo: given(silo.data.roleAssignments),
    project: inProject?.type === 'success' ? given(inProject.data.roleAssignments) : [],
  })
  held.add('silo.user').add('self')
  return (kind, action) => permissionProblem(kind, action, { grants: held, fleetKnown: false })
}

import type { UserAccess } from '@steading/api/client'
import { expandRoles, type Grant, type HeldGrants, relations } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQueryErrorsAllowed } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { currentGroupsQuery, useCurrentUser } from '../../data/session.ts'

/** The user's grants in a project, by its name, or in the silo; undefined if unknown. */
export type GrantsIn = (project: string | undefined) => HeldGrants | undefined

type Role = Parameters<typeof expandRoles>[0]['silo'][number]

/** The user's grants as reported by the control plane, for the silo or one project. */
function fromAccess(access: UserAccess, here: string | undefined): GrantsIn {
  const held: HeldGrants = { grants: new Set<Grant>(access.grants), fleetKnown: access.fleetKnown }
  return (project) => {
    if (project === here || project === undefined) return held
    // Another project: only the silo's answer tells its grants, in addition to the silo's own.
    if (here !== undefined) return undefined
    const own = access.roles.flatMap(({ grant, place }) =>
      place.level === 'project' && (place.name === project || place.id === project)
        ? [grant.slice('project.'.length) as Role]
        : [],
    )
    const grants = new Set([...held.grants, ...expandRoles({ fleet: [], silo: [], project: own })])
    // The truncated list may contain a role there.
    return access.moreProjects > 0 ? undefined : { ...held, grants }
  }
}

type Assigned = { identityId: string; roleName: Role }

/**
 * The user's grants derived from the policies, for control planes that do not report them in one
 * answer.
 */
function usePolicies(project: string | undefined, enabled: boolean): GrantsIn {
  const { id } = useCurrentUser()
  const groups = useQuery({ ...currentGroupsQuery, enabled }).data
  const silo = useQuery({ ...apiQueryErrorsAllowed('policyView', {}), enabled }).data
  const inProject = useQuery({
    ...apiQueryErrorsAllowed('projectPolicyView', { path: { project: project ?? '' } }),
    enabled: enabled && project !== undefined,
  }).data
  if (!groups || groups.nextPage || silo?.type !== 'success') return () => undefined
  const identities = new Set([id, ...groups.items.map((group) => group.id)])
  const given = (assignments: readonly Assigned[]): Role[] =>
    assignments
      .filter(({ identityId }) => identities.has(identityId))
      .map(({ roleName }) => roleName)
  const siloRoles = given(silo.data.roleAssignments)
  const heldWith = (roles: readonly Role[]): HeldGrants => {
    const grants = expandRoles({ fleet: [], silo: siloRoles, project: roles })
    for (const relation of relations) grants.add(relation)
    return { grants, fleetKnown: false }
  }
  return (asked) => {
    if (asked === undefined) return heldWith([])
    if (asked !== project || inProject?.type !== 'success') return undefined
    return heldWith(given(inProject.data.roleAssignments))
  }
}

/** The user's grants on the page of a project, or of the silo. */
export function useGrants(project: string | undefined): GrantsIn {
  const supported = useCapability('access')
  const { id: userId } = useCurrentUser()
  const policies = usePolicies(project, !supported)
  const access = useQuery({
    ...apiQueryErrorsAllowed(
      'userAccessView',
      { path: { userId }, query: { project } },
      { expected: [403, 404] },
    ),
    enabled: supported,
  }).data
  if (!supported) return policies
  return access?.type === 'success' ? fromAccess(access.data, project) : () => undefined
}

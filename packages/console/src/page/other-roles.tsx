import { useQuery } from '@tanstack/react-query'
import { apiQueryErrorsAllowed } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { ownPasswordQuery } from '../data/session.ts'
import { Banner } from '../ui/banner.tsx'
import { TextLink } from '../ui/link.tsx'

/** The user's roles elsewhere, or a notice about having none at all. */
export function OtherRoles() {
  const user = useQuery(apiQueryErrorsAllowed('currentUserView', {})).data
  const userId = user?.type === 'success' ? user.data.id : ''
  const enabled = useCapability('access') && userId !== ''
  const access = useQuery({
    ...apiQueryErrorsAllowed('userAccessView', { path: { userId }, query: {} }),
    enabled,
  }).data
  const roles = access?.type === 'success' ? access.data.roles : undefined
  const projects = roles?.flatMap(({ place }) =>
    place.level === 'project' && place.name ? [place.name] : [],
  )
  return projects?.length ? (
    <OwnProjects names={[...new Set(projects)].toSorted()} />
  ) : (
    <NoRoleNotice groupsHaveNone={roles?.length === 0} />
  )
}

/** Only users with a role on the silo may list its projects; others reach theirs from here. */
const OwnProjects = ({ names }: { names: readonly string[] }) => (
  <Banner title="You have roles in these projects" className="mt-4 max-w-md">
    <ul className="flex flex-col gap-1 text-start">
      {names.map((project) => (
        <li key={project}>
          <TextLink to="/projects/$project" params={{ project }} className="wrap-anywhere">
            {project}
          </TextLink>
        </li>
      ))}
    </ul>
  </Banner>
)

/**
 * A user without groups and roles probably signed in through a misconfigured identity provider.
 * @param groupsHaveNone false if unknown
 */
function NoRoleNotice({ groupsHaveNone }: { groupsHaveNone: boolean }) {
  const user = useQuery(apiQueryErrorsAllowed('currentUserView', {})).data
  const groups = useQuery(apiQueryErrorsAllowed('currentUserGroups', {})).data
  const policy = useQuery(apiQueryErrorsAllowed('policyView', {})).data
  const supported = useCapability('ownPassword')
  const password = useQuery({ ...ownPasswordQuery, enabled: supported }).data
  if (user?.type !== 'success' || groups?.type !== 'success' || policy?.type !== 'success')
    return null
  const assigned = policy.data.roleAssignments.some(({ identityId }) => identityId === user.data.id)
  const inGroups = groups.data.items.length > 0
  if (assigned || (inGroups && !groupsHaveNone)) return null
  return (
    <Banner variant="notice" className="mt-4 max-w-md text-start">
      {inGroups
        ? 'Neither you nor your groups have a role on the silo or on one of its projects. An administrator of the silo can give you one.'
        : `You are not in any groups and have no role on the silo. ${password?.hasPassword ? 'An administrator of the silo can give you a role.' : 'This usually means the identity provider is not set up correctly.'}`}
    </Banner>
  )
}

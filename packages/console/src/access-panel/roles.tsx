import type { UserAccess } from '@steading/api/client'
import { TextLink } from '../ui/link.tsx'
import { formatCount } from '../ui/number.ts'
import { PathText } from './path-text.tsx'

type Place = UserAccess['roles'][number]['place']

/** Leads to the page where roles of this place are given. */
function PlaceLink({ place: { level, name } }: { place: Place }) {
  if (level === 'fleet') return <TextLink to="/system/access">On the fleet</TextLink>
  if (level === 'silo') return <TextLink to="/access">On silo {name}</TextLink>
  return (
    <TextLink to="/projects/$project/access" params={{ project: name }}>
      On project {name}
    </TextLink>
  )
}

/** The roles of a user, each with its place and the group it comes through. */
export function Roles({ roles, moreProjects, fleetKnown }: UserAccess) {
  return (
    <>
      {roles.length === 0 ? (
        <p className="text-secondary">No roles that you can see.</p>
      ) : (
        <ul
          aria-label="Roles"
          className="divide-y overflow-hidden rounded-card border *:px-3 *:py-2"
        >
          {roles.map((role) => (
            <li key={`${role.place.id} ${role.grant} ${role.group?.id}`} className="bg-raised">
              <div className="truncate font-medium">
                <PlaceLink place={role.place} />
              </div>
              <div className="text-secondary">
                <PathText path={role} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {moreProjects > 0 && (
        <p className="text-secondary">And roles in {formatCount(moreProjects)} other projects.</p>
      )}
      {!fleetKnown && (
        <p className="text-secondary">Roles on the fleet are shown to operators only.</p>
      )}
    </>
  )
}

import type { UserAccess } from '@steading/api/client'
import { cx } from '../../ui/cx.ts'
import { TextLink } from '../../ui/link.tsx'
import { formatNumber } from '../../ui/number.ts'
import { PathText } from './path-text.tsx'

type PolicyPlace = UserAccess['roles'][number]['place']

/** Link to the access page of a place. */
function PlaceLink({ place: { level, name } }: { place: PolicyPlace }) {
  if (level === 'fleet') return <TextLink to="/system/access">On the fleet</TextLink>
  if (level === 'silo') return <TextLink to="/access">On silo {name}</TextLink>
  return (
    <TextLink to="/projects/$project/access" params={{ project: name }}>
      On project {name}
    </TextLink>
  )
}

type RolesProps = UserAccess & {
  /** Inside a card, which has its own border. */
  inCard?: boolean
}

/** A user's roles, each with its place and the group that grants it. */
export function Roles({ roles, moreProjects, fleetKnown, inCard = false }: RolesProps) {
  const note = cx('text-secondary', inCard && 'px-4 py-3')
  return (
    <>
      {roles.length === 0 ? (
        <p className={note}>No roles that you can see.</p>
      ) : (
        <ul
          aria-label="Roles"
          className={cx(
            'divide-y *:py-2',
            inCard ? '*:px-4' : 'overflow-hidden rounded-card border *:bg-raised *:px-3',
          )}
        >
          {roles.map((role) => (
            <li key={`${role.place.id} ${role.grant} ${role.group?.id}`}>
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
        <p className={cx(note, inCard && 'border-t')}>
          And roles in {formatNumber(moreProjects)} other projects.
        </p>
      )}
      {!fleetKnown && (
        <p className={cx(note, inCard && 'border-t')}>
          Roles on the fleet are shown to operators only.
        </p>
      )}
    </>
  )
}

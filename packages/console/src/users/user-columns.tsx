import type { UserDetails } from '@steading/api/client'
import { createdColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { Tag } from '../ui/tag.tsx'
import { TimeAgo } from '../ui/time.tsx'
import { tooltip } from '../ui/tooltip.tsx'

/** Why a user cannot sign in; undefined of those who can. */
const stateOf = ({ active, hasPassword }: UserDetails, local: boolean) =>
  !active ? 'Deactivated' : local && !hasPassword ? 'No password' : undefined

/**
 * @param local whether users sign in with passwords
 * @param linked whether users have pages, which those of other silos do not
 */
export const userColumns = (local: boolean, linked: boolean): Column<UserDetails>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ id, displayName }) =>
      linked ? (
        <CellLink to="/users/$user" params={{ user: id }}>
          {displayName}
        </CellLink>
      ) : (
        <span className="block truncate font-medium" {...tooltip(displayName, 'truncated')}>
          {displayName}
        </span>
      ),
  },
  {
    id: 'sign-in',
    header: 'sign-in',
    width: 144,
    phone: 'first',
    cell: (user) => {
      const state = stateOf(user, local)
      return state ? <Tag>{state}</Tag> : local ? 'Password' : 'Identity provider'
    },
  },
  {
    id: 'last-sign-in',
    header: 'last sign-in',
    width: 144,
    phone: 'second',
    cell: ({ timeLastSignIn }) =>
      timeLastSignIn && <TimeAgo date={timeLastSignIn} caption="Last sign-in" ago />,
  },
  createdColumn,
]

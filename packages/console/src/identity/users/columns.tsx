import type {
  IdentitySource,
  UserDetails,
  GroupDetails,
  SecondFactorKind,
} from '@steading/api/client'
import { createdColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { tooltip } from '../../ui/tooltip.tsx'

const labels: Record<IdentitySource, string> = { local: 'Local', saml: 'SAML', scim: 'SCIM' }

/** Origin of a user or group. */
export const SourceTag = ({ source }: { source: IdentitySource }) => <Tag>{labels[source]}</Tag>

const sourceColumn: Column<{ id: string; source: IdentitySource }> = {
  id: 'source',
  header: 'source',
  width: 96,
  phone: 'second',
  labelled: true,
  cell: SourceTag,
}

/** Reason why a user cannot sign in; undefined for users who can. */
const stateOf = ({ active, hasPassword, source }: UserDetails) =>
  !active ? 'Deactivated' : source === 'local' && !hasPassword ? 'No password' : undefined

const factorWords: Record<SecondFactorKind, string> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
}

/** The second factors of a user as words; undefined for users who need none here. */
export function factorsText({ secondFactors, hasPassword }: UserDetails): string | undefined {
  if (secondFactors.length > 0) return secondFactors.map((one) => factorWords[one]).join(', ')
  return hasPassword ? 'None' : undefined
}

const factorColumn: Column<UserDetails> = {
  id: 'second-factor',
  header: 'second factor',
  width: 200,
  phone: 'second',
  labelled: true,
  cell: factorsText,
}

/**
 * @param linked users have pages; users of other silos do not
 * @param hasFactors users may have second factors
 */
export const userColumns = (linked: boolean, hasFactors: boolean): Column<UserDetails>[] => [
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
      const state = stateOf(user)
      if (state) return <Tag>{state}</Tag>
      return user.source === 'local' ? 'Password' : 'Identity provider'
    },
  },
  ...(hasFactors ? [factorColumn] : []),
  sourceColumn,
  {
    id: 'last-sign-in',
    header: 'last sign-in',
    width: 144,
    phone: 'second',
    labelled: true,
    cell: ({ timeLastSignIn }) =>
      timeLastSignIn && <TimeAgo date={timeLastSignIn} caption="Last sign-in" ago />,
  },
  createdColumn,
]

export const groupColumns: Column<GroupDetails>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ id, displayName }) => (
      <CellLink to="/groups/$group" params={{ group: id }}>
        {displayName}
      </CellLink>
    ),
  },
  {
    id: 'members',
    header: 'members',
    width: 112,
    align: 'end',
    phone: 'second',
    labelled: true,
    cell: ({ members }) => members,
  },
  sourceColumn,
  createdColumn,
]

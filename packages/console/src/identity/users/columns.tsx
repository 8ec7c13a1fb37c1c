import type {
  IdentitySource,
  UserDetails,
  GroupDetails,
  SecondFactorKind,
} from '@steading/api/client'
import { counted, type UserState } from '@steading/api/rules'
import { RoleTag } from '../access/columns.tsx'
import { createdColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'
import { formatDay } from '../../ui/exact-time.ts'
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
const withoutState = ({ active, hasPassword, source }: UserDetails) =>
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
  width: 136,
  phone: 'second',
  labelled: true,
  cell: factorsText,
}

/** Without the state, for control planes that do not tell it. */
const signInColumn: Column<UserDetails> = {
  id: 'sign-in',
  header: 'sign-in',
  width: 144,
  phone: 'first',
  cell: (user) => {
    const state = withoutState(user)
    if (state) return <Tag>{state}</Tag>
    return user.source === 'local' ? 'Password' : 'Identity provider'
  },
}

export const stateLabels: Record<UserState, string> = {
  active: 'Active',
  invited: 'Invited',
  no_sign_in: 'No sign-in',
  deactivated: 'Deactivated',
}
const stateTones: Record<UserState, StateTone> = {
  active: 'works',
  invited: 'changing',
  no_sign_in: 'off',
  deactivated: 'off',
}

const isOver = (date: Date): boolean => date.getTime() <= Date.now()

/** The state of a user, and what an invitation waits for. */
export function UserStateBadge({ state, link }: Pick<UserDetails, 'state' | 'link'>) {
  if (state !== 'invited' || !link) {
    return <StateBadge tone={stateTones[state]}>{stateLabels[state]}</StateBadge>
  }
  const { timeExpires, timeSent, mailAddress, problem } = link
  if (isOver(timeExpires)) {
    return <StateBadge tone="attention">Invitation expired</StateBadge>
  }
  if (problem && !timeSent) {
    return (
      <span {...tooltip(`Mail to ${mailAddress}: ${problem}`)}>
        <StateBadge tone="attention">Mail not sent</StateBadge>
      </span>
    )
  }
  return (
    <StateBadge tone="changing">
      {mailAddress && !timeSent ? 'Sending invitation' : `Invited until ${formatDay(timeExpires)}`}
    </StateBadge>
  )
}

const stateColumn: Column<UserDetails> = {
  id: 'state',
  header: 'state',
  least: 144,
  phone: 'first',
  cell: UserStateBadge,
}

const rolesColumn: Column<UserDetails> = {
  id: 'roles',
  header: 'roles',
  width: 152,
  phone: 'second',
  cell: ({ siloRole, projectCount }) => {
    const projects = projectCount > 0 && counted(projectCount, 'project')
    if (!siloRole && !projects) return null
    return (
      <span className="flex min-w-0 items-center gap-1.5">
        {siloRole && <RoleTag level="silo" role={siloRole} />}
        {projects && <Truncate text={projects} className="text-secondary" />}
      </span>
    )
  },
}

type UserColumns = {
  /** Users have pages; users of other silos do not. */
  linked: boolean
  /** Users may have second factors. */
  factors: boolean
  /** The control plane tells states and roles. */
  states: boolean
}

export const userColumns = ({ linked, factors, states }: UserColumns): Column<UserDetails>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ id, displayName }) =>
      linked ? (
        <CellLink to="/users/$user" params={{ user: id }}>
          {displayName}
        </CellLink>
      ) : (
        <Truncate text={displayName} className="font-medium" />
      ),
  },
  ...(states ? [stateColumn, rolesColumn] : [signInColumn]),
  ...(factors ? [factorColumn] : []),
  // Users with second factors here are local ones.
  ...(states && factors ? [] : [sourceColumn]),
  {
    id: 'last-sign-in',
    header: 'last sign-in',
    width: 104,
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

import type { UserDetails } from '@steading/api/client'
import type { SecondFactorWord, UserState } from '@steading/api/rules'
import { Users } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { PagedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { ChoiceSelect } from '../../ui/list-controls/choice-select.tsx'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { usersQuery } from './queries.ts'
import { stateLabels, userColumns } from './columns.tsx'

type Props = {
  /** Name of the silo on operators' pages; defaults to the user's own. */
  silo?: string
  /** Shows only members of this group. */
  group?: string
  /** Whether the users sign in with a password here, and may have second factors. */
  local?: boolean
  actions: (user: UserDetails) => MenuAction[]
  empty: { title: string; body: string }
  /** Content beside the search. */
  children?: ReactNode
}

const factorOptions: Record<'any' | SecondFactorWord, string> = {
  any: 'Any second factor',
  none: 'No second factor',
  no_passkey: 'No passkey',
  totp: 'Authenticator app',
  passkey: 'Passkey',
}

const stateOptions: Record<'any' | UserState, string> = { any: 'Any state', ...stateLabels }

/** The users of a silo or a group, with a search. */
export function UsersTable({ children, ...props }: Props) {
  const [search, setSearch] = useState('')
  const [factor, setFactor] = useState('any')
  const [state, setState] = useState('any')
  const hasFactors = useCapability('secondFactors') && props.local === true
  const hasStates = useCapability('userLinks')
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-(--gutter) pb-3">
        <div className="flex max-sm:basis-full">
          <SearchField label="Search users" value={search} onChange={setSearch} />
        </div>
        {hasStates && (
          <ChoiceSelect
            label="State"
            value={state}
            options={stateOptions}
            active={state !== 'any'}
            onChange={setState}
          />
        )}
        {hasFactors && (
          <ChoiceSelect
            label="Second factor"
            value={factor}
            options={factorOptions}
            active={factor !== 'any'}
            onChange={setFactor}
          />
        )}
        <div className="ms-auto flex flex-wrap gap-2">{children}</div>
      </div>
      {/* A new search begins at its first page. */}
      <Found
        key={`${factor} ${state} ${search}`}
        {...props}
        search={search}
        factor={hasFactors && factor !== 'any' ? factor : undefined}
        state={hasStates && state !== 'any' ? state : undefined}
        shows={{ factors: hasFactors, states: hasStates }}
      />
    </>
  )
}

type FoundProps = Props & {
  search: string
  factor: string | undefined
  state: string | undefined
  /** Columns that some control planes and silos have. */
  shows: { factors: boolean; states: boolean }
}

function Found({ silo, group, actions, empty, search, factor, state, shows }: FoundProps) {
  const read = usePages<UserDetails>((pageToken) =>
    usersQuery({ silo, group, search, factor, state }, pageToken),
  )
  const { factors, states } = shows
  const columns = useMemo(
    () => userColumns({ linked: !silo, factors, states }),
    [silo, factors, states],
  )
  return (
    <PagedTable
      what="The users"
      label="Users"
      columns={columns}
      read={read}
      actions={actions}
      empty={
        search || factor || state
          ? {
              icon: Users,
              title: 'No user matches',
              body: search
                ? `No name contains “${search}”${factor || state ? ' with this filter' : ''}`
                : 'No user matches the filter',
            }
          : { icon: Users, ...empty }
      }
    />
  )
}

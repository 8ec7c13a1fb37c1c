import type { UserDetails } from '@steading/api/client'
import type { SecondFactorWord } from '@steading/api/rules'
import { Users } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { PagedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { ChoiceSelect } from '../../ui/list-controls/choice-select.tsx'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { usersQuery } from './queries.ts'
import { userColumns } from './columns.tsx'

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

/** The users of a silo or a group, with a search. */
export function UsersTable({ children, ...props }: Props) {
  const [search, setSearch] = useState('')
  const [factor, setFactor] = useState('any')
  const hasFactors = useCapability('secondFactors') && props.local === true
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-(--gutter) pb-3">
        <div className="flex max-sm:basis-full">
          <SearchField label="Search users" value={search} onChange={setSearch} />
        </div>
        {hasFactors && (
          <ChoiceSelect
            label="Second factor"
            value={factor}
            options={factorOptions}
            active={factor !== 'any'}
            onChange={setFactor}
          />
        )}
        <div className="ms-auto">{children}</div>
      </div>
      {/* A new search begins at its first page. */}
      <Found
        key={`${factor} ${search}`}
        {...props}
        search={search}
        factor={hasFactors && factor !== 'any' ? factor : undefined}
        hasFactors={hasFactors}
      />
    </>
  )
}

type FoundProps = Props & { search: string; factor: string | undefined; hasFactors: boolean }

function Found({ silo, group, actions, empty, search, factor, hasFactors }: FoundProps) {
  const read = usePages<UserDetails>((pageToken) =>
    usersQuery({ silo, group, search, factor }, pageToken),
  )
  const columns = useMemo(() => userColumns(!silo, hasFactors), [silo, hasFactors])
  return (
    <PagedTable
      what="The users"
      label="Users"
      columns={columns}
      read={read}
      actions={actions}
      empty={
        search || factor
          ? {
              icon: Users,
              title: 'No user matches',
              body: search
                ? `No name contains “${search}”${factor ? ' with this filter' : ''}`
                : 'No user matches the filter',
            }
          : { icon: Users, ...empty }
      }
    />
  )
}

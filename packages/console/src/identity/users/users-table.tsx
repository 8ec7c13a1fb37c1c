import type { UserDetails } from '@steading/api/client'
import { Users } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { PagedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { usersQuery } from './queries.ts'
import { userColumns } from './columns.tsx'

type Props = {
  /** Name of the silo on operators' pages; defaults to the user's own. */
  silo?: string
  /** Shows only members of this group. */
  group?: string
  actions: (user: UserDetails) => MenuAction[]
  empty: { title: string; body: string }
  /** Content beside the search. */
  children?: ReactNode
}

/** The users of a silo or a group, with a search. */
export function UsersTable({ children, ...props }: Props) {
  const [search, setSearch] = useState('')
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-(--gutter) pb-3">
        <SearchField label="Search users" value={search} onChange={setSearch} />
        <div className="ms-auto">{children}</div>
      </div>
      {/* A new search begins at its first page. */}
      <Found key={search} {...props} search={search} />
    </>
  )
}

function Found({ silo, group, actions, empty, search }: Props & { search: string }) {
  const read = usePages<UserDetails>((pageToken) => usersQuery({ silo, group, search }, pageToken))
  const columns = useMemo(() => userColumns(!silo), [silo])
  return (
    <PagedTable
      what="The users"
      label="Users"
      columns={columns}
      read={read}
      actions={actions}
      empty={
        search
          ? { icon: Users, title: 'No user matches', body: `No name contains “${search}”` }
          : { icon: Users, ...empty }
      }
    />
  )
}

import type { GroupDetails } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { useCurrentUser } from '../../data/session.ts'
import { PagedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { useGroupActions } from './group-actions.tsx'
import { groupColumns } from './columns.tsx'
import { groupsQuery, ownSiloQuery } from './queries.ts'

export function GroupsTab() {
  const navigate = useNavigate()
  const silo = useQuery(ownSiloQuery(useCurrentUser())).data
  const local = silo?.identityMode === 'local_only'
  const [search, setSearch] = useState('')
  const actions = useGroupActions()
  return (
    <div role="tabpanel" aria-labelledby="people-tab-groups" className="flex flex-col py-4">
      <div className="flex flex-wrap items-center gap-3 px-(--gutter) pb-3">
        <SearchField label="Search groups" value={search} onChange={setSearch} />
        {local && (
          <div className="ms-auto">
            <ActionButtons
              variant="primary"
              actions={[
                {
                  label: 'Create group',
                  calls: 'groupCreate',
                  icon: <Plus size={16} strokeWidth={1.5} aria-hidden />,
                  local: true,
                  onAction: () => void navigate({ to: '/groups-new' }),
                },
              ]}
            />
          </div>
        )}
      </div>
      {/* A new search begins at its first page. */}
      <Found key={search} search={search} actions={actions} />
      <Outlet />
    </div>
  )
}

type FoundProps = { search: string; actions: (group: GroupDetails) => MenuAction[] }

function Found({ search, actions }: FoundProps) {
  const read = usePages<GroupDetails>((pageToken) => groupsQuery(search, pageToken))
  return (
    <PagedTable
      what="The groups"
      label="Groups"
      columns={groupColumns}
      read={read}
      actions={actions}
      empty={
        search
          ? { icon: Users, title: 'No group matches', body: `No name contains “${search}”` }
          : { icon: Users, title: 'No groups', body: 'Groups of this silo will appear here' }
      }
    />
  )
}

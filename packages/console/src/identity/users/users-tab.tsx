import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useCurrentUser } from '../../data/session.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { ownSiloQuery } from './queries.ts'
import { useInvite } from './use-invite.tsx'
import { useUserActions } from './user-actions.tsx'
import { UsersTable } from './users-table.tsx'

export function UsersTab() {
  const me = useCurrentUser()
  const navigate = useNavigate()
  const silo = useQuery(ownSiloQuery(me)).data
  const local = silo?.identityMode === 'local_only'
  const invite = useInvite({})
  const { actions, dialog } = useUserActions({ silo: me.siloName })
  return (
    <div role="tabpanel" aria-labelledby="people-tab-users" className="flex flex-col py-4">
      <UsersTable
        local={local}
        actions={actions}
        empty={{ title: 'No users', body: 'Users of this silo will appear here' }}
      >
        {local && (
          <>
            <ActionButtons
              actions={[
                {
                  label: 'Create user',
                  calls: 'localIdpUserCreate',
                  icon: <Plus size={16} strokeWidth={1.5} aria-hidden />,
                  local: true,
                  onAction: () => void navigate({ to: '/users-new' }),
                },
              ]}
            />
            <ActionButtons variant="primary" actions={invite} />
          </>
        )}
      </UsersTable>
      {dialog}
      <Outlet />
    </div>
  )
}

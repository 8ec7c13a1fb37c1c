import { Plus } from 'lucide-react'
import { useState } from 'react'
import { usePrefetchedQuery } from '../../../data/api.ts'
import { siloQuery, useSiloParam, siloTabs } from '../../../tenancy/silos/queries.ts'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { UserCreateForm } from '../user-create.tsx'
import { useInvite } from '../use-invite.tsx'
import { useUserActions } from '../user-actions.tsx'
import { UsersTable } from '../users-table.tsx'

/** The users of a silo, for operators. */
export function SiloUsersTab() {
  const { data: silo } = usePrefetchedQuery(siloQuery(useSiloParam()))
  const local = silo.identityMode === 'local_only'
  const { actions, dialog } = useUserActions({ silo: silo.name })
  const invite = useInvite({ silo: silo.name })
  const [creating, setCreating] = useState(false)
  const done = () => setCreating(false)
  return (
    <TabPanel of={siloTabs} tab="Users">
      <div>
        <UsersTable
          silo={silo.name}
          local={local}
          actions={actions}
          empty={{
            title: 'No users',
            body: local
              ? 'Create a user to see it here'
              : 'Users appear here once they come from the identity provider',
          }}
        >
          {local && (
            <ActionButtons
              actions={[
                {
                  label: 'Create user',
                  calls: 'localIdpUserCreate',
                  icon: <Plus size={16} strokeWidth={1.5} aria-hidden />,
                  local: true,
                  onAction: () => setCreating(true),
                },
                ...invite,
              ]}
            />
          )}
        </UsersTable>
      </div>
      {dialog}
      {creating && (
        <UserCreateForm
          silo={silo.name}
          place={{ level: 'silo', silo: silo.name }}
          onDismiss={done}
          onCreated={done}
        />
      )}
    </TabPanel>
  )
}

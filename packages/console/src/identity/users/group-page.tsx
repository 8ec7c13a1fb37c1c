import type { UserDetails } from '@steading/api/client'
import { keptElsewhere } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { RoleLosses } from '../access/losses.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { usePrefetchedQuery } from '../../data/api.ts'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { AddMember } from './add-member.tsx'
import { useGroupActions } from './group-actions.tsx'
import { groupQuery } from './queries.ts'
import { SourceTag } from './columns.tsx'
import { UsersTable } from './users-table.tsx'

export function GroupPage() {
  const { group: id } = useParams({ from: '/shell/silo/groups-crumb/groups/$group' })
  const { data: group } = usePrefetchedQuery(groupQuery(id))
  const elsewhere = keptElsewhere('group', group.source)
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  const actions = useGroupActions(() => void navigate({ to: '/groups' }))
  const change = useApiAction('groupMembersUpdate', {
    onSuccess: () => {
      addToast('Member removed')
    },
  })
  const memberActions = (user: UserDetails): MenuAction[] => [
    {
      label: 'Remove from group',
      danger: true,
      calls: 'groupMembersUpdate',
      disabledReason: elsewhere,
      onAction: () =>
        confirmAction({
          title: 'Remove from group',
          body: (
            <>
              <p>
                <Strong>{user.displayName}</Strong> stays a user of this silo.
              </p>
              <div className="mt-2">
                <RoleLosses change={{ type: 'group', groupId: id, members: [user.id] }} />
              </div>
            </>
          ),
          errorTitle: 'Could not remove the member',
          danger: true,
          ...change({ path: { groupId: id }, body: { add: [], remove: [user.id] } }),
        }),
    },
  ]
  return (
    <>
      <PageHeader title={group.displayName} icon={<Users strokeWidth={1.5} aria-hidden />}>
        <ActionMenu
          label="Group actions"
          actions={[copyAction('Copy ID', group.id), ...actions(group)]}
        />
      </PageHeader>
      <div className="px-(--gutter) pb-5">
        <PropertiesTable columns={2}>
          <PropertiesTable.IdRow id={group.id} />
          <PropertiesTable.Row label="Source">
            <SourceTag source={group.source} />
          </PropertiesTable.Row>
          <PropertiesTable.DateRow label="Created" date={group.timeCreated} />
        </PropertiesTable>
      </div>
      <UsersTable
        group={id}
        actions={memberActions}
        empty={{ title: 'No members', body: 'Members of this group will appear here' }}
      >
        <ActionButtons
          actions={[
            {
              label: 'Add member',
              icon: <UserPlus size={16} strokeWidth={1.5} aria-hidden />,
              local: true,
              calls: 'groupMembersUpdate',
              disabledReason: elsewhere,
              onAction: () => setAdding(true),
            },
          ]}
        />
      </UsersTable>
      {adding && <AddMember group={group} onDismiss={() => setAdding(false)} />}
    </>
  )
}

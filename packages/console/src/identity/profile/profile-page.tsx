import type { Group } from '@steading/api/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { User } from 'lucide-react'
import { apiQuery, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { ownPasswordQuery, currentGroupsQuery, useCurrentUser } from '../../data/session.ts'
import type { Column } from '../../ui/column.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Table } from '../../ui/table.tsx'

const groupColumns: Column<Group>[] = [
  { id: 'name', header: 'Name', cell: (group) => group.displayName },
]

const noActions = () => []

const ownMailQuery = apiQuery('currentUserMailAddressView', {})

const ChangeMailAddress = lazyPart(() => import('./change-mail-address.tsx'))
const ChangePassword = lazyPart(() =>
  import('./change-password.tsx').then((m) => ({ default: m.ChangePassword })),
)

export function ProfilePage() {
  const user = useCurrentUser()
  const { data: groups } = usePrefetchedQuery(currentGroupsQuery)
  const supported = useCapability('ownPassword')
  const { hasPassword } = useQuery({ ...ownPasswordQuery, enabled: supported }).data ?? {}
  const mails = useCapability('userMail')
  // For users with a password only, who may forget it.
  const own = useQuery({ ...ownMailQuery, enabled: mails && hasPassword === true }).data
  const { password: changing } = useSearch({ from: '/shell/settings/profile' })
  const navigate = useNavigate()
  const change = (open: boolean) =>
    void navigate({
      to: '/settings/profile',
      search: { password: open || undefined },
      replace: true,
    })
  return (
    <>
      <PageHeader title="Profile" icon={<User strokeWidth={1.5} aria-hidden />}>
        {hasPassword && (
          <ActionButtons
            actions={[{ label: 'Change password', local: true, onAction: () => change(true) }]}
          />
        )}
      </PageHeader>
      <div className="narrow-page px-(--gutter)">
        <PropertiesTable>
          <PropertiesTable.Row label="Display name">{user.displayName}</PropertiesTable.Row>
          <PropertiesTable.IdRow label="User ID" id={user.id} />
          {own && (
            <PropertiesTable.Row label="Mail address">
              <span className="flex min-w-0 items-center gap-2">
                {own.mailAddress && <span className="min-w-0 truncate">{own.mailAddress}</span>}
                {own.mailAddress && !own.confirmed && <Tag>Not confirmed</Tag>}
                <Button
                  size="sm"
                  onClick={() =>
                    openDialog((onDismiss) => (
                      <ChangeMailAddress address={own.mailAddress} onDismiss={onDismiss} />
                    ))
                  }
                >
                  {own.mailAddress ? 'Change' : 'Add'}
                </Button>
              </span>
            </PropertiesTable.Row>
          )}
        </PropertiesTable>
      </div>
      <div className="narrow-page pt-6">
        <Card
          title="Groups"
          description={groups.items.length === 0 && 'You are not a member of any group'}
        >
          <Table label="Groups" columns={groupColumns} rows={groups.items} actions={noActions} />
        </Card>
      </div>
      <p className="narrow-page px-(--gutter) py-4 text-tertiary">
        Your user information is managed by your organization. To change it, contact your
        administrator.
      </p>
      {supported && (
        <DialogPart onDismiss={() => change(false)}>
          {changing && <ChangePassword onDismiss={() => change(false)} />}
        </DialogPart>
      )}
    </>
  )
}

import type { ConsoleSession, DeviceAccessToken, Group, SshKey } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { User } from 'lucide-react'
import type { ReactNode } from 'react'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { LoadError } from '../../page/load-error.tsx'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { CopyableId } from '../../ui/copy-button.tsx'
import { CellLink } from '../../ui/link.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Table } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import {
  groupsOfUserQuery,
  keysOfUserQuery,
  sessionsOfUserQuery,
  tokensOfUserQuery,
  userQuery,
} from './queries.ts'
import { RolesCard } from './roles-card.tsx'
import { factorsText, SourceTag, UserStateBadge } from './columns.tsx'
import { useUserActions } from './user-actions.tsx'

const groupColumns: Column<Group>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ id, displayName }) => (
      <CellLink to="/groups/$group" params={{ group: id }}>
        {displayName}
      </CellLink>
    ),
  },
]
const sessionColumns: Column<ConsoleSession>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  {
    id: 'used',
    header: 'last used',
    width: 144,
    phone: 'second',
    labelled: true,
    cell: ({ timeLastUsed }) => <TimeAgo date={timeLastUsed} caption="Last used" ago />,
  },
  createdColumn,
]
const tokenColumns: Column<DeviceAccessToken>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  {
    id: 'expires',
    header: 'expires',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeExpires }) => (timeExpires ? <DateTime date={timeExpires} /> : 'Never'),
  },
  createdColumn,
]
const keyColumns: Column<SshKey>[] = [
  { id: 'name', header: 'name', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { ...descriptionColumn, phone: 'second' },
  createdColumn,
]

const noActions = () => []

type PartProps<Row extends { id: string }> = {
  title: string
  none: string
  read: { data?: { items: Row[] }; error: unknown; refetch: () => Promise<unknown> }
  columns: Column<Row>[]
  actions?: (row: Row) => MenuAction[]
}

/** A table of the user's items; an error stays within it. */
function Part<Row extends { id: string }>({
  title,
  none,
  read,
  columns,
  actions = noActions,
}: PartProps<Row>): ReactNode {
  const { data, error, refetch } = read
  return (
    <Card title={title}>
      {error && !data ? (
        <LoadError what={`The ${title}`} error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <CardEmpty title={none} />
      ) : (
        <Table label={title} columns={columns} rows={data?.items} actions={actions} />
      )}
    </Card>
  )
}

export function UserPage() {
  const { user: id } = useParams({ from: '/shell/silo/users-crumb/users/$user' })
  const { data: user } = usePrefetchedQuery(userQuery(id))
  const me = useCurrentUser()
  const hasFactors = useCapability('secondFactors')
  const hasLinks = useCapability('userLinks')
  const navigate = useNavigate()
  const { actions, dialog } = useUserActions({
    silo: me.siloName,
    onDeleted: () => void navigate({ to: '/users' }),
  })
  return (
    <>
      <PageHeader
        title={user.displayName}
        icon={<User strokeWidth={1.5} aria-hidden />}
        meta={
          <>
            {user.id === me.id && <Tag>You</Tag>}
            {!user.active && <Tag>Deactivated</Tag>}
          </>
        }
      >
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="User actions"
          actions={[copyAction('Copy ID', user.id), ...actions(user)]}
        />
      </PageHeader>
      <div className="px-(--gutter) pb-5">
        <PropertiesTable columns={2}>
          <PropertiesTable.IdRow id={user.id} />
          <PropertiesTable.Row label="Last sign-in">
            {user.timeLastSignIn ? <DateTime date={user.timeLastSignIn} /> : 'Not known'}
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Source">
            <SourceTag source={user.source} />
          </PropertiesTable.Row>
          <PropertiesTable.Row label="Sign-in">
            {!user.active
              ? 'Deactivated by the identity provider'
              : user.source !== 'local'
                ? 'At the identity provider'
                : user.hasPassword
                  ? 'With a password'
                  : 'Not possible: no password'}
          </PropertiesTable.Row>
          {hasFactors && user.source === 'local' && (
            <PropertiesTable.Row label="Second factor">{factorsText(user)}</PropertiesTable.Row>
          )}
          {hasLinks && user.source === 'local' && (
            <PropertiesTable.Row label="State">
              <UserStateBadge state={user.state} link={user.link} />
            </PropertiesTable.Row>
          )}
          {hasLinks && user.mailAddress && (
            <PropertiesTable.Row label="Mail address">
              <span className="flex min-w-0 items-center gap-2">
                <span className="min-w-0 truncate">{user.mailAddress}</span>
                {!user.mailConfirmed && <Tag>Not confirmed</Tag>}
              </span>
            </PropertiesTable.Row>
          )}
          <PropertiesTable.DateRow label="Created" date={user.timeCreated} />
        </PropertiesTable>
      </div>
      <div className="flex flex-col gap-6 pb-6">
        <RolesCard userId={id} />
        <Part
          title="Groups"
          none="Not a member of any group"
          read={useQuery(groupsOfUserQuery(id))}
          columns={groupColumns}
        />
        <Part
          title="Sessions"
          none="Not signed in anywhere"
          read={useQuery(sessionsOfUserQuery(id))}
          columns={sessionColumns}
        />
        <Part
          title="Access tokens"
          none="No access tokens"
          read={useQuery(tokensOfUserQuery(id))}
          columns={tokenColumns}
        />
        <Part
          title="SSH keys"
          none="No SSH keys"
          read={useQuery(keysOfUserQuery(id))}
          columns={keyColumns}
        />
      </div>
      {dialog}
    </>
  )
}

import type { ServiceAccount } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { useListPage } from '../../page/use-list-page.ts'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { accountCalls, accountsPath } from './places.ts'
import {
  accountKind,
  accountListDefinition,
  accountsChanged,
  siloAccountListDefinition,
} from './queries.ts'

const AccountCreate = lazyPart(() =>
  import('./account-forms.tsx').then((module) => ({ default: module.AccountCreate })),
)

const AccountEdit = lazyPart(() =>
  import('./account-forms.tsx').then((module) => ({ default: module.AccountEdit })),
)

const POLL_MS = 10_000
const noun = { one: 'service account', many: 'service accounts' }

export const ServiceAccountsPage = () => {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  return <Accounts project={project} />
}
export const SiloServiceAccountsPage = () => <Accounts />

const columnsOf = (path: string): Column<ServiceAccount>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ id, name }) => <CellLink to={`${path}/${id}` as '/'}>{name}</CellLink>,
  },
  { ...(descriptionColumn as Column<ServiceAccount>), phone: 'second' },
  createdColumn as Column<ServiceAccount>,
]

function Accounts({ project }: { project?: string }) {
  const navigate = useNavigate()
  const path = accountsPath(project)
  const columns = useMemo(() => columnsOf(path), [path])
  const list = useListPage(
    project ? accountListDefinition : siloAccountListDefinition,
    { project },
    columns,
    { refetchInterval: useLivePolling(POLL_MS) },
  )
  const bulk = useBulk(accountKind(project), list, project)
  const [creating, setCreating] = useState(false)
  const [editing, setEditing] = useState<ServiceAccount>()
  const remove = useApiAction('serviceAccountDelete', {
    onSuccess: () => {
      void accountsChanged()
      addToast('Service account deleted')
    },
  })
  useListQuickActions(
    useMemo(
      () => ({
        all: apiQuery('serviceAccountSearch', { query: { project, limit: ALL_ITEMS } }),
        group: 'Go to service account',
        pathOf: (_name: string, id: string) => `${path}/${id}`,
      }),
      [project, path],
    ),
  )
  const open = (to: string) => void navigate({ to: to as '/' })
  const actions = (account: ServiceAccount): MenuAction[] => {
    const { id, name } = account
    return [
      { label: 'Access tokens', local: true, onAction: () => open(`${path}/${id}`) },
      {
        label: 'Edit',
        calls: accountCalls('serviceAccountUpdate', project),
        onAction: () => setEditing(account),
      },
      {
        label: 'Delete',
        danger: true,
        calls: accountCalls('serviceAccountDelete', project),
        onAction: () =>
          confirmDelete({
            kind: 'service account',
            name,
            extra:
              'Its tokens and roles go with it. Anything that uses a token is refused at once.',
            ...remove({ path: { serviceAccount: id } }),
            calls: accountCalls('serviceAccountDelete', project),
          }),
      },
    ]
  }
  return (
    <ListPage
      title={project ? 'Service Accounts' : 'Silo Service Accounts'}
      label="Service accounts"
      icon={KeyRound}
      noun={noun}
      docs={{
        topic: 'service accounts',
        summary:
          'A service account has roles like a user, and access tokens that you create for it. It has no password and cannot sign in here. It stays when the people who made it leave.',
      }}
      reads={['serviceAccountSearch']}
      create={{
        label: 'New service account',
        calls: accountCalls('serviceAccountCreate', project),
        icon: Plus,
        onAction: () => setCreating(true),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No service accounts',
        body: project
          ? 'Create one for CI, or for another program that acts without a person. It has rights in this project only.'
          : 'Create one for a program that acts without a person in several projects',
        create: 'New service account',
      }}
    >
      <DialogPart onDismiss={() => setCreating(false)}>
        {creating && (
          <AccountCreate
            project={project}
            onDismiss={() => setCreating(false)}
            onCreated={({ id }) => {
              setCreating(false)
              open(`${path}/${id}`)
            }}
          />
        )}
      </DialogPart>
      <DialogPart onDismiss={() => setEditing(undefined)}>
        {editing && (
          <AccountEdit
            account={editing}
            project={project}
            onDismiss={() => setEditing(undefined)}
          />
        )}
      </DialogPart>
    </ListPage>
  )
}

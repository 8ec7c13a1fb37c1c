import type { ServiceAccount } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { accountCalls, accountsPath } from './places.ts'
import { accountListDefinition, siloAccountListDefinition } from './queries.ts'

const AccountCreate = lazyPart(() =>
  import('./account-forms.tsx').then((module) => ({ default: module.AccountCreate })),
)

const AccountEdit = lazyPart(() =>
  import('./account-forms.tsx').then((module) => ({ default: module.AccountEdit })),
)

const accounts = resourceList({
  list: accountListDefinition,
  noun: 'service account',
  icon: KeyRound,
  docs: {
    topic: 'service accounts',
    summary:
      'A service account has roles like a user, and access tokens that you create for it. It has no password and cannot sign in here. It stays when the people who made it leave.',
  },
  path: '/projects/$project/service-accounts',
  item: '/projects/$project/service-accounts/$serviceAccount',
  byId: true,
  columns: ['name', { id: 'description', phone: 'second' }, 'created'],
  bulk: true,
  empty: {
    body: 'Create one for CI, or for another program that acts without a person. It has rights in this project only.',
    create: 'New service account',
  },
})

const siloAccounts: typeof accounts = {
  ...accounts,
  list: siloAccountListDefinition,
  title: 'Silo Service Accounts',
  path: '/service-accounts',
  item: '/service-accounts/$serviceAccount',
  empty: {
    ...accounts.empty,
    body: 'Create one for a program that works in several projects, without a person',
  },
}

export const ServiceAccountsPage = () => {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  return <Accounts project={project} />
}
export const SiloServiceAccountsPage = () => <Accounts />

function Accounts({ project }: { project?: string }) {
  const navigate = useNavigate()
  const path = accountsPath(project)
  const [creating, setCreating] = useState(false)
  const [editing, setEditing] = useState<ServiceAccount>()
  const remove = useDeleteAction('serviceAccountDelete', 'service account', {
    toast: 'Service account deleted',
  })
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
      remove(
        name,
        { path: { serviceAccount: id } },
        {
          calls: accountCalls('serviceAccountDelete', project),
          extra: 'Its tokens and roles go with it. Anything that uses a token is refused at once.',
        },
      ),
    ]
  }
  return (
    <ResourceList
      of={project ? accounts : siloAccounts}
      within={{ project }}
      create={{
        label: 'New service account',
        calls: accountCalls('serviceAccountCreate', project),
        icon: Plus,
        onAction: () => setCreating(true),
      }}
      actions={actions}
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
    </ResourceList>
  )
}

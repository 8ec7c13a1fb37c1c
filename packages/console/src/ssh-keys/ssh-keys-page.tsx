import type { SshKey } from '@steading/api/client'
import { Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { KeyRound, Plus } from 'lucide-react'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { confirmDelete } from '../ui/confirm.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { addToast } from '../ui/toasts.tsx'
import { sshKeyColumns } from './columns.tsx'
import { sshKeyListDefinition } from './list.ts'

const noun = { one: 'SSH key', many: 'SSH keys' }

export function SshKeysPage() {
  const list = useListPage(sshKeyListDefinition, {}, sshKeyColumns)
  const actions = useSshKeyActions()
  useQuickActions(
    useMemo(() => [{ label: 'Add SSH key', path: pathTo('/settings/ssh-keys-new') }], []),
  )
  return (
    <>
      <PageHeader title="SSH Keys" icon={<KeyRound strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="SSH keys"
          summary="Public keys that are put on an instance when it is created, so that you can log in to it."
        />
        <RefreshButton onRefresh={() => invalidate('currentUserSshKeyList')} />
        <LinkButton
          to="/settings/ssh-keys-new"
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          Add SSH key
        </LinkButton>
      </PageHeader>
      <ListTable
        label="SSH keys"
        noun={noun}
        list={list}

        actions={actions}

        empty={
          <EmptyState
            icon={<KeyRound size={20} strokeWidth={1.5} aria-hidden />}
            title="No SSH keys"
            body="Add an SSH key to see it here"
            action={
              <LinkButton to="/settings/ssh-keys-new" variant="primary">
                Add SSH key
              </LinkButton>
            }
          />
        }
      />
      <Outlet />
    </>
  )
}

function useSshKeyActions(): (key: SshKey) => MenuAction[] {
  const deletion = useApiAction('currentUserSshKeyDelete', {
    onSuccess: (_, { path }) => {
      void invalidate('currentUserSshKeyList')
      addToast({
        content: (
          <>
            SSH key <b>{path.sshKey}</b> deleted
          </>
        ),
      })
    },
  })
  return ({ name, publicKey }) => [
    {
      label: 'Copy public key',
      onAction: () => void navigator.clipboard.writeText(publicKey),
    },
    {
      label: 'Delete',
      onAction: () =>
        confirmDelete({
          kind: 'SSH key',
          name,
          ...deletion({ path: { sshKey: name } }),
        }),
    },
  ]
}

import type { SshKey } from '@steading/api/client'
import { KeyRound, Plus } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { sshKeyColumns } from './columns.tsx'
import { sshKeyListDefinition } from './queries.ts'

const noun = { one: 'SSH key', many: 'SSH keys' }

export function SshKeysPage() {
  const list = useListPage(sshKeyListDefinition, {}, sshKeyColumns)
  const actions = useSshKeyActions()
  return (
    <ListPage
      title="SSH Keys"
      label="SSH keys"
      icon={KeyRound}
      noun={noun}
      docs={{
        topic: 'SSH keys',
        summary:
          'Public keys are added to an instance when it is created, so that you can log in to it.',
      }}
      reads={['currentUserSshKeyList']}
      create={{ label: 'Add SSH key', icon: Plus, path: pathTo('/settings/ssh-keys-new') }}
      list={list}
      actions={actions}
      empty={{ title: 'No SSH keys', body: 'Add an SSH key to see it here', create: 'Add SSH key' }}
    />
  )
}

function useSshKeyActions(): (key: SshKey) => MenuAction[] {
  const deletion = useApiAction('currentUserSshKeyDelete', {
    onSuccess: (_, { path }) => {
      void invalidate('currentUserSshKeyList')
      doneToast('SSH key', path.sshKey, 'deleted')
    },
  })
  return ({ name, publicKey }) => [
    copyAction('Copy public key', publicKey),
    {
      label: 'Delete',
      danger: true,
      onAction: () =>
        confirmDelete({
          kind: 'SSH key',
          name,
          ...deletion({ path: { sshKey: name } }),
        }),
    },
  ]
}

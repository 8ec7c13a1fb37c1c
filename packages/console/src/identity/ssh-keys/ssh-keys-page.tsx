import type { SshKey } from '@steading/api/client'
import { KeyRound } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { confirmDelete } from '../../ui/confirm.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { sshKeyListDefinition } from './queries.ts'

const sshKeys = resourceList({
  list: sshKeyListDefinition,
  noun: 'SSH key',
  icon: KeyRound,
  docs: {
    topic: 'SSH keys',
    summary:
      'Public keys are added to an instance when it is created, so that you can log in to it.',
  },
  path: '/settings/ssh-keys',
  item: '/settings/ssh-keys/$sshKey/edit',
  quickGroup: false,
  columns: ['name', { id: 'description', phone: 'second' }, { id: 'created', optional: true }],
  create: { label: 'Add SSH key' },
  empty: { body: 'Add an SSH key to see it here' },
})

export const SshKeysPage = () => <ResourceList of={sshKeys} actions={useSshKeyActions()} />

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

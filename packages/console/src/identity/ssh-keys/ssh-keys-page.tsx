import type { SshKey } from '@steading/api/client'
import { KeyRound } from 'lucide-react'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
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
  const remove = useDeleteAction('currentUserSshKeyDelete', 'SSH key')
  return ({ name, publicKey }) => [
    copyAction('Copy public key', publicKey),
    remove(name, { path: { sshKey: name } }, { calls: undefined }),
  ]
}

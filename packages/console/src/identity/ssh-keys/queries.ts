import type { ListDefinition } from '../../data/lists.ts'

export const sshKeyListDefinition: ListDefinition<'currentUserSshKeyList'> = {
  kind: 'ssh_key',
  id: 'ssh-keys',
  operation: 'currentUserSshKeyList',
}

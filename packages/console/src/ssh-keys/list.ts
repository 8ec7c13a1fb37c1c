import type { ListDefinition } from '../data/lists.ts'

export const sshKeyListDefinition: ListDefinition<'currentUserSshKeyList'> = {
  id: 'ssh-keys',
  operation: 'currentUserSshKeyList',
  searched: 'currentUserSshKeySearch',
}

import { SshKey, SshKeyCreate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const sshKeyOperations = usual('ssh_key', {
  item: SshKey,
  id: 'current_user_ssh_key',
  path: '/v1/me/ssh-keys/{ssh_key}',
  tag: 'current-user',
  permission: 'session',
})({
  current_user_ssh_key_list: {
    summary: 'List the SSH keys of the signed-in user',
    evenIfLimited: true,
  },
  current_user_ssh_key_search: { evenIfLimited: true },
  current_user_ssh_key_create: { summary: 'Add an SSH key', body: SshKeyCreate },
  current_user_ssh_key_view: { evenIfLimited: true },
  current_user_ssh_key_delete: {},
})

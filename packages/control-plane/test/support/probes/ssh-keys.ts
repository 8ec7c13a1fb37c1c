import { sshKeyBody } from '../things.ts'
import { plain, type Probes } from './probe.ts'
import { fresh } from './world.ts'

export const sshKeysProbes = {
  current_user_ssh_key_list: plain,
  current_user_ssh_key_create: { args: () => ({ body: sshKeyBody(fresh()) }) },
  current_user_ssh_key_view: { args: () => ({ params: { ssh_key: 'mine' } }) },
  current_user_ssh_key_delete: { args: () => ({ params: { ssh_key: 'mine' } }) },
  current_user_ssh_key_search: plain,
} satisfies Partial<Probes>

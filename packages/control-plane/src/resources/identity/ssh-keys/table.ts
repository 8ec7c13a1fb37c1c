import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface SshKeyTable extends Listed, SoftDeleted {
  silo_user_id: string
  public_key: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    ssh_key: SshKeyTable
  }
}

export const sshKeyTables: StoredTables = {
  ssh_key: {
    marked: true,
    within: { silo_user_id: 'silo_user' },
    names: { ssh_key_name: kinds.ssh_key.type },
  },
}

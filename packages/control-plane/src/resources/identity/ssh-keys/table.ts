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

import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireSshKey = (row: Row<'ssh_key'>): Wire.SshKey => ({
  ...identityOf(row),
  public_key: row.public_key,
  silo_user_id: row.silo_user_id,
})

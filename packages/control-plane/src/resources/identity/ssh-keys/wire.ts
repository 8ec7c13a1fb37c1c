import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireSshKey = (row: Row<'ssh_key'>): Wire.SshKey => ({
  id: row.id,
  name: row.name,
  description: row.description,
  public_key: row.public_key,
  silo_user_id: row.silo_user_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

import type { Wire } from '@steading/api'
import type { Flag } from '../../kernel/db/schema.ts'
import type { Row } from '../../kernel/kinds.ts'

type Pool = Row<'subnet_pool'>

const viewSubnetPool = (row: Pool) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  ip_version: row.ip_version,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const viewSiloSubnetPool = (row: Pool & { is_default: Flag }): Wire.SiloSubnetPool => ({
  ...viewSubnetPool(row),
  is_default: row.is_default === 1,
})

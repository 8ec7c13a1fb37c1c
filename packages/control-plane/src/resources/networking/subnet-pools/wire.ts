import type { Wire } from '@steading/api'
import type { Flag } from '../../../kernel/db/schema.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { SubnetPoolMemberRow } from './table.ts'

type Pool = Row<'system_subnet_pool'>

export const toWireSubnetPool = (row: Pool): Wire.SubnetPool => ({
  ...identityOf(row),
  ip_version: row.ip_version,
})

export const toWireSiloSubnetPool = (row: Pool & { is_default: Flag }): Wire.SiloSubnetPool => ({
  ...toWireSubnetPool(row),
  is_default: row.is_default === 1,
})

export const toWireMember = (row: SubnetPoolMemberRow): Wire.SubnetPoolMember => ({
  id: row.id,
  subnet_pool_id: row.subnet_pool_id,
  subnet: row.subnet,
  min_prefix_length: row.min_prefix_length,
  max_prefix_length: row.max_prefix_length,
  time_created: row.time_created,
})

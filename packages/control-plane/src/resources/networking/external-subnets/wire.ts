import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export type ExternalSubnetRow = Row<'external_subnet'>

export const toWireExternalSubnet = (row: ExternalSubnetRow): Wire.ExternalSubnet => ({
  ...identityOf(row),
  subnet: row.subnet,
  subnet_pool_id: row.subnet_pool_id,
  subnet_pool_member_id: row.subnet_pool_member_id,
  project_id: row.project_id,
  instance_id: row.instance_id,
})

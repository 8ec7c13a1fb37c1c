import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireSubnet = (row: Row<'vpc_subnet'>): Wire.VpcSubnet => ({
  ...identityOf(row),
  vpc_id: row.vpc_id,
  ipv4_block: row.ipv4_block,
  ipv6_block: row.ipv6_block,
  custom_router_id: row.custom_router_id,
})

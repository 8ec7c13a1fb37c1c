import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'

export const toWireSubnet = (row: Row<'vpc_subnet'>): Wire.VpcSubnet => ({
  id: row.id,
  name: row.name,
  description: row.description,
  vpc_id: row.vpc_id,
  ipv4_block: row.ipv4_block,
  ipv6_block: row.ipv6_block,
  custom_router_id: row.custom_router_id,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface VpcSubnetTable extends Listed, SoftDeleted {
  vpc_id: string
  ipv4_block: string
  ipv6_block: string
  /** Keys of the first and the last address of each block. */
  ipv4_first: string
  ipv4_last: string
  ipv6_first: string
  ipv6_last: string
  custom_router_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc_subnet: VpcSubnetTable
  }
}

export const vpcSubnetTables: StoredTables = {
  vpc_subnet: {
    marked: true,
    within: { vpc_id: 'vpc', custom_router_id: 'vpc_router' },
    names: { vpc_subnet_name: kinds.vpc_subnet.type },
  },
}

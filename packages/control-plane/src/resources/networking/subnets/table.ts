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

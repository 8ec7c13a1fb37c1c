import type { Identity, SoftDeleted } from '../../kernel/db/schema.ts'

export interface VpcSubnetTable extends Identity, SoftDeleted {
  vpc_id: string
  ipv4_block: string
  ipv6_block: string
  custom_router_id: string | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    vpc_subnet: VpcSubnetTable
  }
}

import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface VpcTable extends Listed, SoftDeleted {
  project_id: string
  system_router_id: string
  ipv6_prefix: string
  dns_name: string
  /** Virtual network identifier, 24 bits. */
  vni: number
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc: VpcTable
  }
}

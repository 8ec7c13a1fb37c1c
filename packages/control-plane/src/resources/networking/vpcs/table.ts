import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
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

export const vpcTables: StoredTables = {
  vpc: {
    marked: true,
    within: { project_id: 'project', system_router_id: 'vpc_router' },
    names: { vpc_name: kinds.vpc.type },
  },
}

import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Listed } from '../../../kernel/db/schema.ts'

export interface ExternalSubnetTable extends Listed {
  subnet: string
  /** Its first address, for searches. */
  ip: string
  /** Fixed-width hex, so that text order is address order. */
  first_key: string
  prefix_length: number
  subnet_pool_id: string
  subnet_pool_member_id: string
  project_id: string
  instance_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    external_subnet: ExternalSubnetTable
  }
}

export const externalSubnetTables: StoredTables = {
  external_subnet: {
    within: {
      subnet_pool_id: 'subnet_pool',
      subnet_pool_member_id: 'subnet_pool_member',
      project_id: 'project',
      instance_id: 'instance',
    },
    names: {
      external_subnet_name: kinds.external_subnet.type,
      external_subnet_by_name_key: kinds.external_subnet.type,
    },
  },
}

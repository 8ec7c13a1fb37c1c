import type { Listed } from '../../../kernel/db/schema.ts'

export interface ExternalSubnetTable extends Listed {
  subnet: string
  /** Its first address, for those who look for it. */
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

import type { AllowedSourceIps } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** The single row with the addresses that may reach the services. */
export interface AllowListTable {
  id: string
  /** JSON, as in the contract. */
  allowed_ips: string
  time_created: string
  time_modified: string
}

export const allowedIps = jsonColumn<AllowedSourceIps>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    allow_list: AllowListTable
  }
}

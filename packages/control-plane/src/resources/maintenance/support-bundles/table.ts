import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { SupportBundleState } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface SupportBundleTable extends SoftDeleted, Reconciled {
  id: string
  /** All bundles are in one list, the fleet's. */
  fleet_id: Generated<string>
  /** See `supportBundleName`. */
  name: string
  state: SupportBundleState
  /** Empty for no comment. */
  user_comment: string
  reason_for_creation: string
  reason_for_failure: string | null
  /** The volume with its bytes; each attempt to collect it writes to another one. */
  volume_id: string | null
  /** Size in bytes once it is active; zero until then. */
  size: number
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    support_bundle: SupportBundleTable
  }
}

export const supportBundleTables: StoredTables = {
  support_bundle: { marked: true },
}

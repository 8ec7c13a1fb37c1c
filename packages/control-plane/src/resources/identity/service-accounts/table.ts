import { kinds } from '@steading/api/rules'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** A service account. Its id is also that of its row in `silo_user`. */
export interface ServiceAccountTable extends Listed, SoftDeleted {
  silo_id: string
  /** Null for one of the silo. */
  project_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    service_account: ServiceAccountTable
  }
}

export const serviceAccountTables: StoredTables = {
  service_account: {
    marked: true,
    within: { silo_id: 'silo', project_id: 'project' },
    names: {
      service_account_project_name: kinds.service_account.type,
      service_account_silo_name: kinds.silo_service_account.type,
    },
  },
}

import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { step } from '../../../kernel/job-steps.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { storedInPlaces } from '../../tenancy/projects/placed.ts'
import { type ServiceAccountRow, lookupAccount } from './lookup.ts'
import { deleteServiceAccount } from './change.ts'

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

export const toWireServiceAccount = (row: ServiceAccountRow): Wire.ServiceAccount => ({
  ...identityOf(row),
  silo_id: row.silo_id,
  project_id: row.project_id,
})

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_service_account: 'service_account'
  }
}

const { inProject, inSilo } = storedInPlaces('service_account', {
  tables: {
    service_account: {
      marked: true,
      within: { silo_id: 'silo', project_id: 'project' },
      names: {
        service_account_project_name: kinds.service_account.type,
        service_account_silo_name: kinds.silo_service_account.type,
      },
    },
  },
  search: searchOf('service_account_search', {
    searched: described,
    sorts: usualSorts,
    filters: {},
    toWire: each(toWireServiceAccount),
  }),
  steps: {
    delete: step('service_account_delete', async (work, id) =>
      deleteServiceAccount(work, await lookupAccount(work, id)),
    ),
  },
})

export const service_account: StoredKind<'service_account'> = inProject
export const silo_service_account: StoredKind<'silo_service_account'> = inSilo

import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import { step } from '../../../kernel/job-steps.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { deleteServiceAccount } from './change.ts'
import { lookupAccount } from './lookup.ts'
import { serviceAccountTables } from './table.ts'
import { toWireServiceAccount } from './wire.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_service_account: 'service_account'
  }
}

/** The search of service accounts of a project, and of those of a silo. */
const search = searchOf('service_account_search', {
  searched: described,
  sorts: usualSorts,
  filters: {},
  toWire: each(toWireServiceAccount),
})

const steps = {
  delete: step('service_account_delete', async (work, id) =>
    deleteServiceAccount(work, await lookupAccount(work, id)),
  ),
}

export const service_account: StoredKind<'service_account'> = {
  tables: serviceAccountTables,
  live: 'time_deleted is null and project_id is not null',
  search,
  steps,
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'project',
      relation: 'goes',
      pairs: sql`select id, project_id as owner_id from service_account
        where project_id is not null`,
      reason: deletionSentences.partOfProject,
    },
  ],
}

export const silo_service_account: StoredKind<'silo_service_account'> = {
  table: 'service_account',
  live: 'time_deleted is null and project_id is null',
  search,
  steps,
  deletion: { columns: { silo_id: 'silo_id' } },
}

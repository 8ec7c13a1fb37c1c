import { step } from '../../../kernel/job-steps.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { storedInPlaces } from '../../tenancy/projects/placed.ts'
import { deleteServiceAccount } from './change.ts'
import { lookupAccount } from './lookup.ts'
import { serviceAccountTables } from './table.ts'
import { toWireServiceAccount } from './wire.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_service_account: 'service_account'
  }
}

const { inProject, inSilo } = storedInPlaces('service_account', {
  tables: serviceAccountTables,
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

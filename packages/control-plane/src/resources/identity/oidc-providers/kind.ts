import { step } from '../../../kernel/job-steps.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { always } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { deleteOidcProvider } from './delete.ts'
import { oidcIdentityProviderTables } from './table.ts'
import { toWireOidcProvider } from './wire.ts'

export const oidc_identity_provider: StoredKind<'oidc_identity_provider'> = {
  tables: oidcIdentityProviderTables,
  live: 'time_deleted is null',
  search: searchOf('oidc_identity_provider_search', {
    searched: described,
    sorts: usualSorts,
    filters: { type: always('oidc') },
    toWire: each(toWireOidcProvider),
  }),
  steps: {
    delete: step('oidc_identity_provider_delete', async (work, id) =>
      deleteOidcProvider(work, await lookup(work, 'oidc_identity_provider', id)),
    ),
  },
  deletion: { columns: { silo_id: 'silo_id' } },
}

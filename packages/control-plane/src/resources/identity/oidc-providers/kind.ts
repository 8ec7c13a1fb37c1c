import type { StoredKind } from '../../../kernel/kinds.ts'
import { always } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
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
    delete: stepOn('oidc_identity_provider', 'oidc_identity_provider_delete', deleteOidcProvider),
  },
  deletion: { columns: { silo_id: 'silo_id' } },
}

import type { StoredKind } from '../../../kernel/kinds.ts'
import { always } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteSamlProvider } from './delete.ts'
import { samlIdentityProviderTables } from './table.ts'
import { toWireProvider } from './wire.ts'

export const saml_identity_provider: StoredKind<'saml_identity_provider'> = {
  tables: samlIdentityProviderTables,
  live: 'time_deleted is null',
  search: searchOf('silo_identity_provider_search', {
    searched: described,
    sorts: usualSorts,
    filters: { type: always('saml') },
    toWire: each(toWireProvider),
  }),
  steps: {
    delete: stepOn('saml_identity_provider', 'saml_identity_provider_delete', deleteSamlProvider),
  },
  deletion: { columns: { silo_id: 'silo_id' } },
}

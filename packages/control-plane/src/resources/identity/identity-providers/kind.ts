import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import type { SamlIdentityProviderTable } from './table.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    saml_identity_provider: SamlIdentityProviderTable
  }
}

storeTable('saml_identity_provider', {
  marked: true,
  within: { silo_id: 'silo' },
  names: { saml_identity_provider_name: kinds.saml_identity_provider.type },
})

storeKind('saml_identity_provider', {
  table: 'saml_identity_provider',
  live: 'time_deleted is null',
})

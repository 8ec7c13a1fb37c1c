import type { StoredKind } from '../../../kernel/kinds.ts'
import { samlIdentityProviderTables } from './table.ts'

export const saml_identity_provider: StoredKind<'saml_identity_provider'> = {
  tables: samlIdentityProviderTables,
  live: 'time_deleted is null',
}

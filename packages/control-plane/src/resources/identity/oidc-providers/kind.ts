import type { StoredKind } from '../../../kernel/kinds.ts'
import { oidcIdentityProviderTables } from './table.ts'

export const oidc_identity_provider: StoredKind<'oidc_identity_provider'> = {
  tables: oidcIdentityProviderTables,
  live: 'time_deleted is null',
}

import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Generated } from 'kysely'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface OidcIdentityProviderTable extends Listed, SoftDeleted {
  silo_id: string
  issuer: string
  client_id: string
  /** In no answer of the API; null for a client without a secret. */
  client_secret: string | null
  /** JSON. */
  scopes: string
  user_claim: string
  display_name_claim: string | null
  groups_claim: string | null
  redirect_uri: string
  /** Whether commas are part of the names of groups, instead of separating them. */
  commas_in_groups: Generated<Flag>
  /** JSON of {@link LastSignIn}; null before the first one. */
  last_sign_in: string | null
  /** Whether signing out here leads to signing out there. */
  sign_out_at_provider: Generated<Flag>
}

/** The column `scopes`. */
export const requestedScopes = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    oidc_identity_provider: OidcIdentityProviderTable
  }
}

export const oidcIdentityProviderTables: StoredTables = {
  oidc_identity_provider: {
    marked: true,
    within: { silo_id: 'silo' },
    names: { oidc_identity_provider_name: kinds.oidc_identity_provider.type },
  },
}

import { kinds, oidcLogoutUri, oidcSignedOutUri } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Wire } from '@steading/api'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { always } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { pick } from '../../../kernel/pick.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { endSessions } from '../sessions/sessions.ts'

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

export const toWireOidcProvider = (
  row: Row<'oidc_identity_provider'>,
): Wire.OidcIdentityProvider => ({
  ...identityOf(row),
  issuer: row.issuer,
  client_id: row.client_id,
  scopes: requestedScopes.read(row.scopes),
  ...pick(row, 'user_claim', 'display_name_claim', 'groups_claim', 'redirect_uri'),
  logout_uri: oidcLogoutUri(row.redirect_uri),
  signed_out_uri: oidcSignedOutUri(row.redirect_uri),
  sign_out_at_provider: row.sign_out_at_provider === 1,
  commas_in_groups: row.commas_in_groups === 1,
})

/** Deletes a provider with its secret, and ends the sessions that it opened. */
export async function deleteOidcProvider(
  writing: Writing,
  provider: Row<'oidc_identity_provider'>,
): Promise<void> {
  await deleteRow(writing, 'oidc_identity_provider', provider, { client_secret: null })
  await endSessions(writing, { provider: provider.id }, 'administrator')
}

export const oidc_identity_provider: StoredKind<'oidc_identity_provider'> = {
  tables: {
    oidc_identity_provider: {
      marked: true,
      within: { silo_id: 'silo' },
      names: { oidc_identity_provider_name: kinds.oidc_identity_provider.type },
    },
  },
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

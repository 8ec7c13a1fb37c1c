import type { Wire } from '@steading/api'
import { oidcLogoutUri, oidcSignedOutUri } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { requestedScopes } from './table.ts'

export const toWireOidcProvider = (
  row: Row<'oidc_identity_provider'>,
): Wire.OidcIdentityProvider => ({
  ...identityOf(row),
  issuer: row.issuer,
  client_id: row.client_id,
  scopes: requestedScopes.read(row.scopes),
  user_claim: row.user_claim,
  display_name_claim: row.display_name_claim,
  groups_claim: row.groups_claim,
  redirect_uri: row.redirect_uri,
  logout_uri: oidcLogoutUri(row.redirect_uri),
  signed_out_uri: oidcSignedOutUri(row.redirect_uri),
  sign_out_at_provider: row.sign_out_at_provider === 1,
  commas_in_groups: row.commas_in_groups === 1,
})

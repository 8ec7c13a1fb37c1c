import { oidcMessages } from '@steading/api/rules'
import { type ApiError, fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type Oidc, type OidcClient, OidcError } from '../../../kernel/ports/oidc.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { requestedScopes } from './kind.ts'

/** @throws ApiError 501 on a host without OpenID Connect */
export function oidcOf({ oidc }: Pick<ControlPlaneServices, 'oidc'>): Oidc {
  if (!oidc) throw fail.notImplemented(oidcMessages.unavailable)
  return oidc
}

export const clientOf = (row: Row<'oidc_identity_provider'>): OidcClient => ({
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: row.client_secret,
  redirectUri: row.redirect_uri,
  scopes: requestedScopes.read(row.scopes),
})

/** Turns a refusal by the host into an error of the contract. */
export async function refusing<T>(
  refusal: (error: OidcError) => ApiError,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof OidcError ? refusal(error) : error
  }
}

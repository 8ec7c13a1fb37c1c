/** Signing out at the provider of a session (OpenID Connect RP-Initiated Logout 1.0). */
import {
  OIDC_REQUEST_MS,
  OIDC_SIGN_OUT_COOKIE,
  oidcSignedOutUri,
  PROVIDER_COOKIE_PATH,
} from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { OidcError } from '../../../kernel/ports/oidc.ts'
import { digest, unseal } from '../../../kernel/secrets.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { newRequest, type Protocol, requestCookies } from '../auth/provider-requests.ts'
import { clientOf } from '../oidc-providers/client.ts'

export const signingOut: Protocol = {
  name: 'oidc sign-out',
  cookie: OIDC_SIGN_OUT_COOKIE,
  cookiePath: PROVIDER_COOKIE_PATH,
  validMs: OIDC_REQUEST_MS,
}

/** The provider of a session where its user is to sign out as well. */
export interface SessionAtProvider {
  provider: Row<'oidc_identity_provider'>
  subject: string
  idToken: string | undefined
}

/** @returns undefined for a session without such a provider, or whose provider was deleted */
export async function sessionAtProvider(
  db: Db,
  token: string,
): Promise<SessionAtProvider | undefined> {
  const session = await db
    .selectFrom('console_session')
    .select(['oidc_provider_id', 'oidc_subject', 'oidc_id_token'])
    .where('token_hash', '=', await digest(token))
    .executeTakeFirst()
  if (!session?.oidc_provider_id || session.oidc_subject === null) return undefined
  const provider = await rowsOf(db, 'oidc_identity_provider')
    .selectAll()
    .where('its.id', '=', session.oidc_provider_id)
    .where('its.sign_out_at_provider', '=', 1)
    .executeTakeFirst()
  const sealed = session.oidc_id_token
  return (
    provider && {
      provider,
      subject: session.oidc_subject,
      idToken: sealed === null ? undefined : await unseal(sealed, token),
    }
  )
}

/**
 * The address for signing out at a provider, and the cookies of the browser that goes there.
 * @returns undefined if the provider publishes none, or cannot be reached
 */
export async function signOutAt(
  db: Db,
  { oidc }: Pick<ControlPlaneServices, 'oidc'>,
  { provider, subject, idToken }: SessionAtProvider,
  browser: Request,
  now: Date,
): Promise<{ url: string; cookies: string[] } | undefined> {
  if (!oidc) return undefined
  const state = await newRequest(db, signingOut, provider, now)
  const returnUri = oidcSignedOutUri(provider.redirect_uri)
  try {
    const signOut = { state, returnUri, idToken, subject }
    const url = await oidc.signOutUrl(clientOf(provider), signOut)
    if (url === undefined) return undefined
    const attributes = { sameSite: 'Lax', secure: returnUri.startsWith('https:') } as const
    return { url, cookies: await requestCookies(db, signingOut, browser, state, attributes) }
  } catch (error) {
    if (error instanceof OidcError) return undefined
    throw error
  }
}

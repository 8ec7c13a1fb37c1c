/**
 * Requests to OpenID Connect providers, see `auth/provider-requests.ts`. The state is the id of the
 * request and the page to open after it. Nonce and code verifier derive from the state by a digest
 * that only this database can make, so nobody else knows them before the request is answered.
 */
import {
  isRelativeUri,
  OIDC_COOKIE,
  OIDC_REQUEST_MS,
  PROVIDER_COOKIE_PATH,
} from '@steading/api/rules'
import { base64ToString, stringToBase64 } from 'uint8array-extras'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { OidcRequest } from '../../../kernel/ports/oidc.ts'
import { keyedDigest } from '../auth/keyed-digest.ts'
import { newRequest, type Protocol, requestCookies } from '../auth/provider-requests.ts'

type Provider = Row<'oidc_identity_provider'>

export const oidc: Protocol = {
  name: 'oidc',
  cookie: OIDC_COOKIE,
  cookiePath: PROVIDER_COOKIE_PATH,
  validMs: OIDC_REQUEST_MS,
}

/** The state of a new request. */
export async function newState(
  db: Db,
  provider: Provider,
  redirectUri: string | undefined,
  now: Date,
): Promise<string> {
  const id = await newRequest(db, oidc, provider, now)
  return redirectUri === undefined ? id : `${id}.${stringToBase64(redirectUri, { urlSafe: true })}`
}

/** The parts of a state, of which only the id is known to be made here. */
export function partsOf(state: string): { id: string; page: string } {
  const [id = '', encoded = ''] = state.split('.', 2)
  try {
    const page = base64ToString(encoded)
    if (isRelativeUri(page)) return { id, page }
  } catch {
    // Not a state of ours.
  }
  return { id, page: '/' }
}

/** The request with a state, and its secrets. */
export async function requestOf(db: Db, { id }: Provider, state: string): Promise<OidcRequest> {
  return {
    state,
    nonce: await keyedDigest(db, `oidc nonce ${id} ${state}`),
    verifier: await keyedDigest(db, `oidc verifier ${id} ${state}`),
  }
}

/**
 * The cookie of a browser that makes a request. The answer is a navigation of the browser, with
 * which it sends cookies with `SameSite=Lax`.
 */
export const oidcCookies = (
  db: Db,
  browser: Request,
  { redirect_uri }: Provider,
  state: string,
): Promise<string[]> =>
  requestCookies(db, oidc, browser, state, {
    sameSite: 'Lax',
    secure: redirect_uri.startsWith('https:'),
  })

/**
 * Requests to identity providers. An id contains the provider and the end of its validity, with a
 * digest that only this database can make. So any number of requests by strangers leaves nothing
 * behind; only answered ones are stored, as used. The browser that makes a request keeps a proof of
 * it in a cookie, so that no other browser can bring the answer.
 */
import {
  SAML_COOKIE,
  SAML_COOKIE_PATH,
  SAML_REQUEST_ALGORITHM,
  SAML_REQUEST_MS,
  SAML_REQUESTS_OF_BROWSER,
} from '@steading/api/rules'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { cookieOf } from '../../../kernel/cookies.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { SamlSignIn } from '../../../kernel/ports/saml.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import { keyedDigest, sameText } from '../auth/keyed-digest.ts'
import { escapeXml } from '../identity-providers/service-metadata.ts'

type Provider = Row<'saml_identity_provider'>

const NONCE_BYTES = 16
/** Characters kept of the digest; half of it is enough. */
const PROOF = 32
/** An XML id must not begin with a digit. */
const idPattern = /^_([0-9a-f]{32})-([0-9a-z]{1,10})-([0-9a-f]{32})$/

const proofOf = async (db: Db, { id }: Provider, nonce: string, expires: string): Promise<string> =>
  (await keyedDigest(db, `saml request ${id} ${nonce} ${expires}`)).slice(0, PROOF)

/** The id of a new request. */
export async function newRequest(db: Db, provider: Provider, now: Date): Promise<string> {
  const nonce = randomToken(NONCE_BYTES)
  const expires = (now.getTime() + SAML_REQUEST_MS).toString(36)
  return `_${nonce}-${expires}-${await proofOf(db, provider, nonce, expires)}`
}

/** Expiry of a request to a provider; undefined if this database has not made it. */
export async function requestEnd(
  db: Db,
  provider: Provider,
  id: string,
): Promise<Date | undefined> {
  const [, nonce, expires, proof] = idPattern.exec(id) ?? []
  if (!nonce || !expires || !proof) return undefined
  return sameText(proof, await proofOf(db, provider, nonce, expires))
    ? new Date(Number.parseInt(expires, 36))
    : undefined
}

const browserProof = async (db: Db, id: string): Promise<string> =>
  (await keyedDigest(db, `saml browser ${id}`)).slice(0, PROOF)

const cookiePattern = new RegExp(
  `^[0-9a-f]{${PROOF}}(\\.[0-9a-f]{${PROOF}}){0,${SAML_REQUESTS_OF_BROWSER - 1}}$`,
)

function proofsOf(request: Request): string[] {
  const cookie = cookieOf(request, SAML_COOKIE)
  return cookie !== undefined && cookiePattern.test(cookie) ? cookie.split('.') : []
}

/** Whether the browser that brings an answer made the request. */
export async function hasMade(db: Db, browser: Request, id: string): Promise<boolean> {
  const proofs = proofsOf(browser)
  if (proofs.length === 0) return false
  const proof = await browserProof(db, id)
  return proofs.some((given) => sameText(given, proof))
}

/**
 * The cookie of a browser that makes a request. The page of the provider brings the answer with a
 * POST from another site, for which browsers send only cookies with `SameSite=None`, and they keep
 * such a cookie only over TLS. So the scheme of the address for the answer decides, which is the
 * browser's own even behind a proxy. Over plain HTTP the cookie has no `SameSite`: browsers then
 * send it with such a POST, some of them only for two minutes.
 */
export async function requestCookie(
  db: Db,
  browser: Request,
  { acs_url }: Provider,
  id: string,
): Promise<string> {
  const proofs = [await browserProof(db, id), ...proofsOf(browser)]
  const value = proofs.slice(0, SAML_REQUESTS_OF_BROWSER).join('.')
  const crossSite = /^https:/i.test(acs_url) ? ' SameSite=None; Secure;' : ''
  return `${SAML_COOKIE}=${value}; Path=${SAML_COOKIE_PATH}; HttpOnly;${crossSite} Max-Age=${SAML_REQUEST_MS / 1000}`
}

const requestXml = (provider: Provider, id: string, now: Date): string =>
  `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${escapeXml(provider.sso_url)}" AssertionConsumerServiceURL="${escapeXml(provider.acs_url)}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${escapeXml(provider.sp_client_id)}</saml:Issuer><samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified" AllowCreate="true"/></samlp:AuthnRequest>`

async function deflated(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The address to open after signing in, passed through the provider and back. */
const relayState = (redirectUri: string | undefined): string =>
  uint8ArrayToBase64(
    new TextEncoder().encode(JSON.stringify({ redirect_uri: redirectUri ?? null })),
  )

/** The address of a provider to which a browser is sent for signing in. */
export async function requestUrl(
  { sign }: SamlSignIn,
  provider: Provider,
  id: string,
  redirectUri: string | undefined,
  now: Date,
): Promise<string> {
  const xml = requestXml(provider, id, now)
  const values: [string, string][] = [
    ['SAMLRequest', uint8ArrayToBase64(await deflated(xml))],
    ['RelayState', relayState(redirectUri)],
  ]
  if (provider.private_key) values.push(['SigAlg', SAML_REQUEST_ALGORITHM])
  const query = (all: [string, string][]) =>
    all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  if (provider.private_key) {
    values.push(['Signature', await sign(query(values), provider.private_key)])
  }
  const url = new URL(provider.sso_url)
  url.search = `${url.search ? `${url.search}&` : '?'}${query(values)}`
  return url.href
}

/** Requests to SAML identity providers, see `auth/provider-requests.ts`. */
import {
  PROVIDER_COOKIE_PATH,
  SAML_COOKIE,
  SAML_REQUEST_ALGORITHM,
  SAML_REQUEST_MS,
} from '@steading/api/rules'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { SamlSignIn } from '../../../kernel/ports/saml.ts'
import { type Protocol, requestCookies } from '../auth/provider-requests.ts'
import { escapeXml } from '../identity-providers/service-metadata.ts'

type Provider = Row<'saml_identity_provider'>

export const saml: Protocol = {
  name: 'saml',
  cookie: SAML_COOKIE,
  cookiePath: PROVIDER_COOKIE_PATH,
  validMs: SAML_REQUEST_MS,
}

/**
 * The cookie of a browser that makes a request. The page of the provider brings the answer with a
 * POST from another site, for which browsers send only cookies with `SameSite=None`, and they keep
 * such a cookie only over TLS. So the scheme of the address for the answer decides, which is the
 * browser's own even behind a proxy. Over plain HTTP the cookie has no `SameSite`: browsers then
 * send it with such a POST, some of them only for two minutes.
 */
export const samlCookies = (
  db: Db,
  browser: Request,
  { acs_url }: Provider,
  id: string,
): Promise<string[]> => {
  const secure = /^https:/i.test(acs_url)
  return requestCookies(db, saml, browser, id, { sameSite: secure ? 'None' : undefined, secure })
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

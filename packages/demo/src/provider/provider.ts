/**
 * The demo's identity provider, in place of a real one, which the page could not reach: it reads a
 * sign-in request, and answers with a signed assertion. Its only shortcut: it signs the plain text
 * of the assertion instead of the canonical form.
 */
import { base64ToUint8Array, stringToBase64, uint8ArrayToBase64 } from 'uint8array-extras'
import { CERTIFICATE, PRIVATE_KEY } from './key.ts'

export const PROVIDER = { silo: 'city-archive', name: 'town-hall' }
export const ENTITY_ID = 'https://sign-in.city-archive.example/metadata'
export const CLIENT_ID = 'https://cloud.example/city-archive'
export const GROUPS = 'groups'
export const ADMINS = 'archive-admins'

const SSO_PATH = '/town-hall/sign-in'
const MINUTE_MS = 60_000

export interface ProviderUser {
  name: string
  /** Purpose of signing in as this user. */
  shows: string
  groups: string[]
  /** The response is modified after signing. */
  forged?: true
}

export const users: ProviderUser[] = [
  { name: 'Greta Holm', shows: 'Admin of the silo, by a group', groups: ['archivists', ADMINS] },
  { name: 'Piet Visser', shows: 'Has no role yet', groups: ['archivists'] },
  { name: 'Mallory', shows: 'Her answer is forged, and refused', groups: [], forged: true },
]

/** Metadata of the provider. */
export const metadataOf = (origin: string): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY_ID}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${CERTIFICATE}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${origin}${SSO_PATH}"/></md:IDPSSODescriptor></md:EntityDescriptor>`

async function inflated(base64: string): Promise<string> {
  const stream = new Blob([base64ToUint8Array(base64)]).stream()
  return new Response(stream.pipeThrough(new DecompressionStream('deflate-raw'))).text()
}

async function signatureOf(text: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    'pkcs8',
    base64ToUint8Array(PRIVATE_KEY),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  )
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const bytes = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(text))
  return uint8ArrayToBase64(bytes)
}

/** Whether a URL is the sign-in page of this provider. */
export const isOwn = (location: string, origin: string): boolean =>
  location.startsWith(`${origin}${SSO_PATH}?`)

/** The form and the URL with which a browser returns from the provider. */
export interface Answer {
  acsUrl: string
  form: URLSearchParams
}

/** @param location of the browser's redirect, including the request */
export async function answer(location: string, user: ProviderUser, now: Date): Promise<Answer> {
  const { searchParams } = new URL(location)
  const request = await inflated(searchParams.get('SAMLRequest')!)
  const attribute = (name: string) => new RegExp(` ${name}="([^"]+)"`).exec(request)![1]!
  const [id, acs] = [attribute('ID'), attribute('AssertionConsumerServiceURL')]
  const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS).toISOString()
  const values = user.groups.map((name) => `<saml:AttributeValue>${name}</saml:AttributeValue>`)
  const attributes = `<saml:AttributeStatement><saml:Attribute Name="${GROUPS}">${values.join('')}</saml:Attribute></saml:AttributeStatement>`
  const head = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${crypto.randomUUID()}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${ENTITY_ID}</saml:Issuer>`
  const body = `<saml:Subject><saml:NameID>${user.name}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(5)}" Recipient="${acs}" InResponseTo="${id}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-1)}" NotOnOrAfter="${at(5)}"><saml:AudienceRestriction><saml:Audience>${CLIENT_ID}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"/>${values.length > 0 ? attributes : ''}</saml:Assertion>`
  const signature = `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignatureValue>${await signatureOf(head + body)}</ds:SignatureValue></ds:Signature>`
  const said = user.forged ? body.replace(user.name, 'Greta Holm') : body
  const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${crypto.randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${acs}" InResponseTo="${id}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${ENTITY_ID}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${head}${signature}${said}</samlp:Response>`
  const form = new URLSearchParams({
    SAMLResponse: stringToBase64(response),
    RelayState: searchParams.get('RelayState') ?? '',
  })
  return { acsUrl: acs, form }
}

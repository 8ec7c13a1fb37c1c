/** An identity provider whose answers can be made wrong in every way. */
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { bare, provider as providerKey, type TestKey } from './keys.ts'

export const ENTITY_ID = 'https://idp.example/metadata'
export const SSO_URL = 'https://idp.example/sso?tenant=1'
export const SP_ENTITY_ID = 'https://cloud.example/sp'

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
export const RSA_SHA256 = `${more}rsa-sha256`

export const metadataOf = (
  keys: readonly TestKey[] = [providerKey],
  { entityId = ENTITY_ID, sso = SSO_URL } = {},
): string => `<?xml version="1.0"?>
<!-- as providers publish it -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${keys
      .map(
        ({ certificate }) => `<md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
        ${bare(certificate)}
      </ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>`,
      )
      .join('\n    ')}
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${sso.replaceAll('&', '&amp;')}"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The body that registers a provider with a silo. */
export const identityProviderBody = (name: string, values: object = {}) => ({
  name,
  description: '',
  idp_metadata_source: { type: 'base64_encoded_xml' as const, data: base64(metadataOf()) },
  idp_entity_id: ENTITY_ID,
  sp_client_id: SP_ENTITY_ID,
  acs_url: 'https://cloud.example/acs',
  slo_url: 'https://cloud.example/logout',
  technical_contact_email: 'ops@cloud.example',
  group_attribute_name: 'groups',
  ...values,
})

const minutes = (now: number, count: number): string => new Date(now + count * 60_000).toISOString()

/** The contents of an answer; the defaults are accepted. */
export interface Said {
  acs: string
  nameId?: string
  now?: number
  id?: string
  responseId?: string
  issuer?: string
  assertionIssuer?: string
  audience?: string
  destination?: string
  recipient?: string
  inResponseTo?: string
  status?: string
  version?: string
  /** Minutes from now. */
  notBefore?: number
  notOnOrAfter?: number
  confirmedUntil?: number
  groups?: string[]
  /** Parts of the assertion, as XML. */
  subject?: string
  conditions?: string
  statement?: string
  attributes?: string
  method?: string
}

let made = 0

export function assertionXml(said: Said): string {
  const now = said.now ?? Date.now()
  const {
    id = `_assertion-${made++}-${crypto.randomUUID()}`,
    nameId = 'alice',
    assertionIssuer = said.issuer ?? ENTITY_ID,
    audience = SP_ENTITY_ID,
    recipient = said.acs,
    notBefore = -1,
    notOnOrAfter = 5,
    confirmedUntil = notOnOrAfter,
    groups = [],
    version = '2.0',
    method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  } = said
  const answers = said.inResponseTo === undefined ? '' : ` InResponseTo="${said.inResponseTo}"`
  const subject =
    said.subject ??
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified">${nameId}</saml:NameID><saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData NotOnOrAfter="${minutes(now, confirmedUntil)}" Recipient="${recipient}"${answers}/></saml:SubjectConfirmation></saml:Subject>`
  const conditions =
    said.conditions ??
    `<saml:Conditions NotBefore="${minutes(now, notBefore)}" NotOnOrAfter="${minutes(now, notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`
  const statement =
    said.statement ??
    `<saml:AuthnStatement AuthnInstant="${minutes(now, 0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
  const attributes =
    said.attributes ??
    (groups.length === 0
      ? ''
      : `<saml:AttributeStatement><saml:Attribute Name="groups">${groups
          .map((group) => `<saml:AttributeValue>${group}</saml:AttributeValue>`)
          .join('')}</saml:Attribute></saml:AttributeStatement>`)
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="${version}" IssueInstant="${minutes(now, 0)}"><saml:Issuer>${assertionIssuer}</saml:Issuer>${subject}${conditions}${statement}${attributes}</saml:Assertion>`
}

/** A response with the given assertions. */
export function responseXml(said: Said, ...assertions: string[]): string {
  const now = said.now ?? Date.now()
  const {
    issuer = ENTITY_ID,
    responseId = `_response-${made++}-${crypto.randomUUID()}`,
    destination = said.acs,
    status = 'urn:oasis:names:tc:SAML:2.0:status:Success',
    version = '2.0',
  } = said
  const answers = said.inResponseTo === undefined ? '' : ` InResponseTo="${said.inResponseTo}"`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${responseId}" Version="${version}" IssueInstant="${minutes(now, 0)}" Destination="${destination}"${answers}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${assertions.join('')}</samlp:Response>`
}

const hashes: Record<string, string> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${more}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

export interface Signing {
  key?: TestKey
  algorithm?: string
  digest?: string
  /** Name of the element to sign. */
  of?: 'Assertion' | 'Response'
}

/** Signs an element of a document; the signature follows its issuer. */
export function signed(
  xml: string,
  {
    key = providerKey,
    algorithm = RSA_SHA256,
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
    of = 'Assertion',
  }: Signing = {},
): string {
  const hash = /sha\d+/.exec(algorithm)![0]
  const signer = new SignedXml({
    privateKey: key.key,
    publicCert: key.certificate,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signer.SignatureAlgorithms[algorithm] = class {
    getAlgorithmName = () => algorithm
    verifySignature = () => false
    getSignature = (text: unknown) =>
      sign(hash, Buffer.from(text as string), {
        key: createPrivateKey(key.key),
        dsaEncoding: 'ieee-p1363',
      }).toString('base64')
  } as never
  signer.HashAlgorithms[digest] = class {
    getAlgorithmName = () => digest
    getHash = (text: string) => createHash(hashes[digest]!).update(text).digest('base64')
  }
  const path = `//*[local-name(.)='${of}']`
  signer.addReference({
    xpath: path,
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
    digestAlgorithm: digest,
  })
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signer.getSignedXml()
}

/** The answer of the provider, signed. */
export const answer = (said: Said, signing?: Signing): string =>
  signed(responseXml(said, assertionXml(said)), signing)

/** The request with which a browser is sent to the provider. */
export function requestOf(location: string) {
  const url = new URL(location)
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest')!, 'base64')).toString()
  return {
    url,
    xml,
    id: /ID="([^"]+)"/.exec(xml)![1]!,
    relayState: url.searchParams.get('RelayState')!,
  }
}

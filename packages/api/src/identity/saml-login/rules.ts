/** Facts and messages of signing in by SAML 2.0 (control plane 2.4, 4.4). */

/** Bytes of a provider's metadata. */
export const SAML_METADATA_MAX = 1024 * 1024
/** Milliseconds for fetching metadata, redirects included. */
export const SAML_METADATA_FETCH_MS = 5_000
/** Redirects that are followed while metadata is fetched. */
export const SAML_METADATA_REDIRECTS = 3
/** Milliseconds that a user has between leaving for the provider and coming back. */
export const SAML_REQUEST_MS = 10 * 60_000
/** Says which requests a browser has made; sent when it brings an answer. */
export const SAML_COOKIE = 'saml'
export const SAML_COOKIE_PATH = '/login/'
/** Requests that a browser may have under way, in several tabs; the oldest is forgotten. */
export const SAML_REQUESTS_OF_BROWSER = 8
/** Milliseconds by which the clocks of a provider and of this server may differ. */
export const SAML_CLOCK_SKEW_MS = 60_000
/**
 * Elements of a document, and how deep they may be inside of each other; attributes of an element;
 * and different prefixes of namespaces, which readers copy for each element that declares one.
 */
export const SAML_ELEMENTS_MAX = { metadata: 20_000, response: 2_000 } as const
export const SAML_DEPTH_MAX = 50
export const SAML_ATTRIBUTES_MAX = 50
export const SAML_PREFIXES_MAX = 50
/** Characters of the name of a user or a group. */
export const SAML_NAME_MAX = 512

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
/** Signature algorithm → its kind of key and its hash. */
export const samlSignatureAlgorithms = {
  [`${more}rsa-sha224`]: { key: 'rsa', hash: 'sha224' },
  [`${more}rsa-sha256`]: { key: 'rsa', hash: 'sha256' },
  [`${more}rsa-sha384`]: { key: 'rsa', hash: 'sha384' },
  [`${more}rsa-sha512`]: { key: 'rsa', hash: 'sha512' },
  [`${more}ecdsa-sha224`]: { key: 'ec', hash: 'sha224' },
  [`${more}ecdsa-sha256`]: { key: 'ec', hash: 'sha256' },
  [`${more}ecdsa-sha384`]: { key: 'ec', hash: 'sha384' },
  [`${more}ecdsa-sha512`]: { key: 'ec', hash: 'sha512' },
  'http://www.w3.org/2009/xmldsig11#dsa-sha256': { key: 'dsa', hash: 'sha256' },
} as const
/** The algorithm with which this control plane signs its requests. */
export const SAML_REQUEST_ALGORITHM = `${more}rsa-sha256`

/** Digest algorithm → its hash. */
export const samlDigestAlgorithms = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${more}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
} as const

/** What is wrong with a provider that is to be created. */
export const identityProviderMessages = {
  localOnly: 'cannot create SAML identity providers in ApiOnly silos',
  query: (reason: string) => `error querying url: ${reason}`,
  private:
    'its host is not on the public internet; the server allows other networks if it is started with --metadata-networks',
  status: (status: number) => `querying url returned: ${status}`,
  text: (reason: string) => `error getting text from url: ${reason}`,
  base64: (reason: string) => `error getting decoding base64 data: ${reason}`,
  parse: (reason: string) =>
    `idp_metadata_document_string could not be parsed as an EntityDescriptor! ${reason}`,
  noProvider: 'no md:IDPSSODescriptor section',
  noKey: 'no signing key found in IDP metadata',
  noRedirect: 'zero redirect binding locations',
  certBase64: (reason: string) => `could not base64 decode public_cert: ${reason}`,
  cert: (reason: string) => `public_cert is not recognized as a X509 certificate: ${reason}`,
  keyBase64: (reason: string) => `could not base64 decode private_key: ${reason}`,
  key: (reason: string) => `private_key is not recognized as a RSA private key: ${reason}`,
  pair: (reason: string) => `data signed with key not verified with certificate! ${reason}`,
} as const

/** Why a sign-in by SAML is refused. */
export const samlMessages = {
  body: (reason: string) => `error reading url encoded POST body! ${reason}`,
  base64: (reason: string) => `error base64 decoding SAMLResponse! ${reason}`,
  utf8: (reason: string) => `decoded SAMLResponse not utf8 string! ${reason}`,
  parse: (reason: string) => `could not parse SAMLResponse string! ${reason}`,
  noIssuer: 'SAMLResponse has no issuer!',
  blankIssuer: 'SAMLResponse has a blank issuer!',
  otherIssuer: (issuer: string, expected: string) =>
    `SAMLResponse issuer ${issuer} does not match configured idp entity id ${expected}`,
  extract: (reason: string) => `could not extract SAMLResponse assertion! ${reason}`,
  /** Of an answer that no request was made for. */
  unasked:
    'nobody has asked the identity provider for this answer, and it is not set to begin sign-ins by itself; begin on the sign-in page',
  /** Of an answer to a request that was made, but not by the browser that brings it. */
  otherBrowser:
    'this browser has not asked the identity provider for this answer, or not at this address; begin on the sign-in page again',
  unsigned: 'assertion is missing signature!',
  algorithm: (uri: string) => `signature algorithm ${uri} is not allowed`,
  noSubject: 'no subject in assertion',
  noNameId: 'no subject name id in assertion',
  /** Of a 501. */
  unavailable:
    'this control plane runs inside of a page and cannot sign in through an identity provider',
} as const

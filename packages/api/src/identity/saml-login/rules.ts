/** Limits and messages of SAML 2.0 sign-in (control plane 2.4, 4.4). */

/** Maximum size of a provider's metadata in bytes. */
export const SAML_METADATA_MAX = 1024 * 1024
/** Timeout for fetching metadata, including redirects, in milliseconds. */
export const SAML_METADATA_FETCH_MS = 5_000
/** Redirects to follow while fetching metadata. */
export const SAML_METADATA_REDIRECTS = 3
/** Milliseconds between the request and its response, which include the user's sign-in. */
export const SAML_REQUEST_MS = 10 * 60_000
/** Cookie with the pending requests of a browser; sent with the response. */
export const SAML_COOKIE = 'saml'
/** Allowed clock skew between a provider and this server in milliseconds. */
export const SAML_CLOCK_SKEW_MS = 60_000
/**
 * Limits of a document: elements, nesting depth, attributes per element, and distinct namespace
 * prefixes, which parsers copy for each element that declares one.
 */
export const SAML_ELEMENTS_MAX = { metadata: 20_000, response: 2_000 } as const
export const SAML_DEPTH_MAX = 50
export const SAML_ATTRIBUTES_MAX = 50
export const SAML_PREFIXES_MAX = 50
/** Maximum length of a user or group name in characters. */
export const SAML_NAME_MAX = 512

const more = 'http://www.w3.org/2001/04/xmldsig-more#'
/** Signature algorithm → key type and hash. */
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
/** Algorithm with which this control plane signs its requests. */
export const SAML_REQUEST_ALGORITHM = `${more}rsa-sha256`

/** Digest algorithm → hash. */
export const samlDigestAlgorithms = {
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  [`${more}sha384`]: 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
} as const

/** Protocols of identity providers. */
export const providerProtocols = ['saml', 'oidc'] as const

/** Problems with a new identity provider. */
export const identityProviderMessages = {
  localOnly: 'cannot create SAML identity providers in ApiOnly silos',
  query: (reason: string) => `error querying url: ${reason}`,
  private:
    'its host is not on the public internet. To allow the host, start the server with --metadata-networks and its network',
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

/** Formats of a NameID (SAML Core, section 8.3). */
export const nameFormats = {
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
} as const

/** Reasons for refusing a SAML sign-in. */
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
  /** Unsolicited response. */
  unasked:
    'this browser did not request a sign-in, and the identity provider may not initiate one; begin on the sign-in page',
  /** Response to a request of another browser. */
  otherBrowser:
    'this sign-in was not started by this browser, or not at this address; begin on the sign-in page again',
  unsigned: 'assertion is missing signature!',
  algorithm: (uri: string) => `signature algorithm ${uri} is not allowed`,
  noSubject: 'no subject in assertion',
  transient:
    'the provider sends a new name at each sign-in (transient); let it send persistent, emailAddress or unspecified',
  future: 'it was issued in the future: the clock of the provider or of this server is wrong',
  noNameId: 'no subject name id in assertion',
  /** Message of the 501. */
  unavailable:
    'this control plane runs inside of a page and cannot sign in through an identity provider',
} as const

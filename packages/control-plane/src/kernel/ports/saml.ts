/**
 * The parts of SAML that need XML, keys and connections to other hosts. The control plane judges
 * their results.
 */

/** The reason to refuse a document, a key or an address; the message is one of the contract. */
export class SamlError extends Error {}

/** The contents of an identity provider's metadata. */
export interface ProviderMetadata {
  /** Where browsers are sent to sign in. */
  ssoUrl: string
  /** The certificates with whose keys the provider may sign, DER in base64. */
  certificates: string[]
}

/** A certificate, and its RSA key in PKCS#1; both DER in base64. */
export interface SigningKeyPair {
  publicCert: string
  privateKey: string
}

/** Times are as the provider wrote them. */
export interface SubjectConfirmation {
  method: string | undefined
  recipient: string | undefined
  notBefore: string | undefined
  notOnOrAfter: string | undefined
  inResponseTo: string | undefined
}

/** An assertion as it was signed. */
export interface SignedAssertion {
  id: string
  version: string | undefined
  /** Undefined if there is none, or more than one. */
  issuer: string | undefined
  issueInstant: string | undefined
  /** Undefined if there is no subject. */
  subject:
    | {
        nameId: string | undefined
        /** The URN of the kind of name; undefined if the provider gives none. */
        nameFormat: string | undefined
        confirmations: SubjectConfirmation[]
      }
    | undefined
  /** Undefined if there are no conditions, or more than one element of them. */
  conditions:
    | {
        notBefore: string | undefined
        notOnOrAfter: string | undefined
        /** The audiences of each restriction; every restriction has to be met. */
        audiences: string[][]
        /** Names of conditions that only the provider knows. */
        unknown: string[]
      }
    | undefined
  /** For each sign-in of the user there: when it was, and until when sessions may last. */
  authentications: { authnInstant: string | undefined; sessionNotOnOrAfter: string | undefined }[]
  attributes: { name: string; values: string[] }[]
}

/** A response that has been parsed. Only its assertion is known to be signed. */
export interface SamlResponse {
  version: string | undefined
  issuer: string | undefined
  destination: string | undefined
  inResponseTo: string | undefined
  /** Codes, the outermost first. */
  status: string[]
  /**
   * The one assertion, if it is signed by one of these certificates, and the response as well if it
   * has a signature.
   * @throws SamlError
   */
  assertion: (certificates: readonly string[]) => SignedAssertion | Promise<SignedAssertion>
}

export interface SamlSignIn {
  /** A signature with RSA and SHA-256, in base64. */
  sign: (text: string, privateKey: string) => Promise<string>
  /** @throws SamlError */
  readResponse: (xml: string) => Promise<SamlResponse>
}

export interface Saml {
  /**
   * Fetches metadata from an address given by an administrator.
   * @throws SamlError
   */
  fetchMetadata: (url: string) => Promise<string>
  /** @throws SamlError */
  readMetadata: (xml: string) => Promise<ProviderMetadata>
  /** @throws SamlError if the key does not belong to the certificate */
  requireKeyPair: (pair: SigningKeyPair) => Promise<void>
  /** Undefined at a host that cannot sign users in through a provider. */
  signIn?: SamlSignIn
}

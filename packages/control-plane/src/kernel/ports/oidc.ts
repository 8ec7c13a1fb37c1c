/**
 * The parts of OpenID Connect that need keys and connections to other hosts. The control plane
 * judges the claims.
 */

/** The reason to refuse a provider, an answer or a token; the message is one of the contract. */
export class OidcError extends Error {
  /** Whether the provider could not be reached, so that another attempt may succeed. */
  readonly unreachable: boolean

  constructor(message: string, unreachable = false) {
    super(message)
    this.unreachable = unreachable
  }
}

/** The registration of this service at a provider. */
export interface OidcClient {
  issuer: string
  clientId: string
  /** Null for a client without a secret. */
  clientSecret: string | null
  redirectUri: string
  scopes: readonly string[]
}

/** The secrets of a request; each is known to this service alone until the request is answered. */
export interface OidcRequest {
  state: string
  nonce: string
  /** Code verifier of RFC 7636. */
  verifier: string
}

/** A user as the provider describes them in a verified ID token. */
export interface OidcUser {
  subject: string
  /** The session at the provider; undefined if it gives no id. */
  session: string | undefined
  /** The ID token itself. */
  idToken: string
  /** Claims of the ID token, and those only in the answer of the UserInfo endpoint. */
  claims: Readonly<Record<string, unknown>>
}

/** A verified logout token (Back-Channel Logout 1.0); it has a subject, a session, or both. */
export interface OidcLogout {
  id: string
  subject: string | undefined
  session: string | undefined
}

/** A browser that signs out at the provider. */
export interface OidcSignOut {
  state: string
  /** Address here to which the provider leads the browser back. */
  returnUri: string
  /** The ID token of the session, if it was kept. */
  idToken: string | undefined
  /** The user, for providers that get no ID token. */
  subject: string
}

export interface Oidc {
  /**
   * Checks that an issuer publishes its configuration.
   * @throws OidcError
   */
  discover: (issuer: string) => Promise<void>
  /**
   * The address at the provider for signing in, with PKCE.
   * @throws OidcError
   */
  requestUrl: (client: OidcClient, request: OidcRequest) => Promise<string>
  /**
   * Redeems the code of an answer, and verifies the ID token.
   * @param answer the redirect URI with the query of the answer
   * @param claims to read from the UserInfo endpoint if the ID token has not all of them
   * @throws OidcError
   */
  redeem: (
    client: OidcClient,
    request: OidcRequest,
    answer: URL,
    claims: readonly string[],
  ) => Promise<OidcUser>
  /**
   * The address at the provider for signing out (RP-Initiated Logout 1.0).
   * @returns undefined if the provider publishes none
   * @throws OidcError
   */
  signOutUrl: (client: OidcClient, signOut: OidcSignOut) => Promise<string | undefined>
  /** @throws OidcError */
  readLogout: (client: OidcClient, token: string) => Promise<OidcLogout>
}

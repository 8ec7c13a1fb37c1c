/** Limits and messages of sign-in by OpenID Connect (Core 1.0, RFC 6749, RFC 7636, RFC 9207). */

/** Timeout of one conversation with a provider in milliseconds. */
export const OIDC_FETCH_MS = 5_000
/** Maximum size of one answer of a provider in bytes. */
export const OIDC_ANSWER_MAX = 256 * 1024
/** Milliseconds for which the discovered endpoints of a provider are used. */
export const OIDC_DISCOVERY_MS = 10 * 60_000
/** Milliseconds after a failed discovery before the next one. */
export const OIDC_RETRY_MS = 3_000
/** Minimum milliseconds between two reads of the keys of a provider. */
export const OIDC_KEYS_MS = 30_000
/** Allowed clock skew between a provider and this server in seconds. */
export const OIDC_CLOCK_SKEW_S = 60
/** Maximum age of a logout token in seconds (Back-Channel Logout 1.0, section 2.6). */
export const OIDC_LOGOUT_S = 5 * 60
/** Milliseconds between the request of a browser and the answer, which include the sign-in. */
export const OIDC_REQUEST_MS = 10 * 60_000
/** Cookie with the pending requests of a browser. */
export const OIDC_COOKIE = 'oidc'
/** Cookie with the pending sign-outs of a browser. */
export const OIDC_SIGN_OUT_COOKIE = 'oidc-sign-out'
/**
 * Maximum length of an ID token that is kept to sign out at the provider, because it becomes part of
 * an address.
 */
export const OIDC_ID_TOKEN_MAX = 4096
/** Maximum length of the name of a user or a group in characters. */
export const OIDC_NAME_MAX = 512

/** Signature algorithms of tokens: asymmetric ones only (RFC 7518, RFC 8037). */
export const oidcAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

/** The scope that makes a request one of OpenID Connect. */
export const OIDC_SCOPE = 'openid'
export const oidcDefaults = {
  scopes: [OIDC_SCOPE, 'profile', 'email'],
  userClaim: 'sub',
  displayNameClaim: 'name',
  groupsClaim: 'groups',
} as const

/** Path of the login page of a provider; its callback and its logout are below it. */
export const oidcLoginPath = (silo: string, provider: string): string =>
  `/login/${encodeURIComponent(silo)}/oidc/${encodeURIComponent(provider)}`

/** Path to which the provider sends browsers with its answers. */
export const oidcCallbackPath = (silo: string, provider: string): string =>
  `${oidcLoginPath(silo, provider)}/callback`

/** Address for back-channel logout, beside a redirect URI. */
export const oidcLogoutUri = (redirectUri: string): string =>
  redirectUri.replace(/\/callback$/, '/logout')

/** Address to which the provider leads browsers after signing them out, beside a redirect URI. */
export const oidcSignedOutUri = (redirectUri: string): string =>
  redirectUri.replace(/\/callback$/, '/signed-out')

const DISCOVERY_PATH = /\/\.well-known\/openid-configuration\/?$/

/** The issuer in a text with blanks around it, or in the address of the issuer's configuration. */
export const issuerOf = (text: string): string => text.trim().replace(DISCOVERY_PATH, '')

/** The issuer that a refusal of {@link oidcMessages} proposes. */
export const proposedIssuer = (message: string): string | undefined =>
  new RegExp(oidcMessages.otherIssuer('(\\S+)')).exec(message)?.[1]

/** Problem with an issuer (Discovery 1.0, section 3). */
export function issuerProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const { protocol, search, hash, username, password } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be a web address'
  return search || hash || username || password || /[?#]/.test(text)
    ? 'must have no query, fragment or credentials'
    : undefined
}

/** Problem with a redirect URI, which must lead to this provider of this silo. */
export function redirectUriProblem(
  text: string,
  silo: string,
  provider: string,
): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL'
  const { protocol, origin } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must be a web address'
  const path = oidcCallbackPath(silo, provider)
  return text === origin + path ? undefined : `must end with ${path}, after the host`
}

/** Problem with the scopes of a request (RFC 6749, section 3.3). */
export function scopesProblem(scopes: readonly string[]): string | undefined {
  if (!scopes.includes(OIDC_SCOPE)) return `must contain "${OIDC_SCOPE}"`
  return scopes.some((scope) => !/^[\u0021\u0023-\u005b\u005d-\u007e]{1,200}$/.test(scope))
    ? 'has a scope that is not valid'
    : undefined
}

/** Reasons for refusing a provider, a sign-in or a logout. */
export const oidcMessages = {
  localOnly: 'cannot create OpenID Connect identity providers in ApiOnly silos',
  /** Message of the 501. */
  unavailable:
    'this control plane runs inside of a page and cannot sign in through an OpenID Connect provider',
  /** Message of the 503 at sign-in, and of the 400 of a new provider. */
  unreachable: (reason: string) => `the identity provider cannot be reached: ${reason}`,
  /** {@link proposedIssuer} reads it. */
  otherIssuer: (issuer: string) => `the provider calls itself ${issuer}: use that`,
  redirected: (url: string) => `its address leads to ${url}: use that`,
  private:
    'its host is not on the public internet. To allow the host, start the server with --metadata-networks and its network',
  plain: 'its address must begin with https://',
  refused: (reason: string) => `the sign-in was refused: ${reason}`,
  /** An error that the provider reports (RFC 6749, section 4.1.2.1). */
  reported: (code: string) => `the identity provider reports ${code}`,
  otherBrowser:
    'this sign-in was not started by this browser, or not at this address; begin on the sign-in page again',
  notAsked: 'it answers a request that was not made here',
  expired: 'it answers a request that has expired',
  answered: 'it answers a request that has been answered',
  noClaim: (claim: string) => `the identity provider gives no valid "${claim}" of the user`,
  unverifiedEmail: 'the identity provider has not verified the e-mail address of the user',
  noEmailVerified:
    'the identity provider does not say whether it has verified the e-mail address ("email_verified"). Let it send that claim, or let users be known by another claim, such as "sub" or "oid"',
  future:
    'the ID token was issued in the future: the clock of the provider or of this server is wrong',
  badGroups: (claim: string) => `"${claim}" is no list of valid names of groups`,
  groupsElsewhere: (claim: string) =>
    `the identity provider leaves out "${claim}", because the user has too many groups`,
  logout: (reason: string) => `the logout token was refused: ${reason}`,
} as const

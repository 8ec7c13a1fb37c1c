/**
 * Rate limits against password guessing. Failures count per user and address, so that an attacker
 * who guesses at an account does not lock its owner out; per address, across all users; and per
 * known device, whose allowance attackers cannot use up. After the free failures each attempt has
 * to wait, twice as long as the one before.
 */

/** Free failures for one user from one address, and for one user from a known device. */
export const SIGN_IN_FREE_FAILURES = 10
/** Free failures from one address across all users; an office may share it. */
export const SIGN_IN_FREE_FAILURES_OF_ADDRESS = 50
/** Milliseconds to wait after the last free failure. */
export const SIGN_IN_FIRST_WAIT_MS = 1_000
/** Maximum wait in milliseconds. */
export const SIGN_IN_MAX_WAIT_MS = 30_000
/** Milliseconds without an attempt after which failures are forgotten. */
export const SIGN_IN_FORGET_MS = 15 * 60_000

/** Passwords hashed concurrently: each hash occupies a core and the memory of its cost. */
export const PASSWORDS_AT_ONCE = 2
/**
 * Maximum number of queued sign-ins: from known devices, from all others, and of the latter from
 * one network. About four seconds of work, so that clients do not time out meanwhile.
 */
export const PASSWORDS_WAITING_MAX = { known: 64, unknown: 24 } as const
export const PASSWORDS_OF_NETWORK_MAX = 10
/** Milliseconds after which a client may retry when the queue was full. */
export const PASSWORDS_BUSY_WAIT_MS = 5_000

/**
 * IPv6 prefixes by which clients are counted, narrowest first, each with the share of a limit that
 * its clients have in total. A household or a machine has at least a /64 and can choose the other
 * bits freely; many providers assign a /56 or a /48.
 */
export const IPV6_PREFIXES = [
  { bits: 64, share: 1 },
  { bits: 56, share: 2 },
  { bits: 48, share: 4 },
] as const

/** Marks a device that has signed in before; sent only when signing in. */
export const DEVICE_COOKIE = 'device'
export const DEVICE_COOKIE_PATH = '/v1/login'
/** Seconds. */
export const DEVICE_COOKIE_AGE = 365 * 24 * 60 * 60
/** Users for whom one device is known. The one with the oldest sign-in is dropped. */
export const DEVICE_USERS_MAX = 5

/** Path of cookies with the pending requests of a browser to identity providers. */
export const PROVIDER_COOKIE_PATH = '/login/'
/** Pending requests per browser, in several tabs; the oldest is dropped. */
export const PROVIDER_REQUESTS_OF_BROWSER = 8

/**
 * Message of a 429.
 * @param what the attempts that were too many
 * @returns the message for a wait in milliseconds
 */
export const tooMany =
  (what: string) =>
  (waitMs: number): string => {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return `too many ${what}; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  }

/** Free reads of the sign-in page's data per address; further ones have to wait. */
export const SIGN_IN_FREE_VIEWS = 300
export const tooManySignInViewsMessage = tooMany('sign-in pages')

/**
 * Reasons for the end of a session other than signing out: expiry, the user elsewhere, an
 * administrator, a new password, a deleted or deactivated user, or the identity provider.
 */
export const sessionEndReasons = [
  'expired',
  'ended',
  'administrator',
  'password',
  'user',
  'provider',
] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** Message of the 400 for a change of password. */
export const notPresentPassword = 'this is not the present password'

export const tooManySignInsMessage = tooMany('failed sign-in attempts')
/** Message of the 429 for a sign-in that finds the queue full. Its password was not checked. */
export const signInBusyMessage = tooMany('sign-ins at the same time')

/**
 * Whether a text is a path of this host, with its query. `//host` and `/\\host` would lead to
 * another host, and browsers ignore tabs and line breaks.
 */
export const isRelativeUri = (text: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)

/**
 * Name of a `meta` element with an error as JSON. A browser that delivers a refused SAML response
 * gets the console's page with this element.
 */
export const SIGN_IN_PROBLEM = 'sign-in-problem'

/** Silo of the browser's last sign-in; sent with every request. */
export const SILO_COOKIE = 'silo'
/** Seconds. */
export const SILO_COOKIE_AGE = 365 * 24 * 60 * 60
/** Query parameter of `/login` that selects another silo. */
export const LOGIN_SILO = 'silo'
/** Page where users enter their silo. It takes the same parameter, for a name that is wrong. */
export const SILO_CHOICE_PATH = '/login/choose'

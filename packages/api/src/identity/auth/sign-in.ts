/**
 * How guessing passwords is slowed down. Failures count per user and address, so that a stranger
 * who guesses at an account does not keep its owner out; per address, for all users together; and
 * per device that has signed in before, which strangers cannot use up. After some failures the next
 * attempt has to wait, twice as long after each.
 */

/** Failures that are free: at one user from one address, and at one user from a known device. */
export const SIGN_IN_FREE_FAILURES = 10
/** Free failures from one address, for all users together; an office may share it. */
export const SIGN_IN_FREE_FAILURES_OF_ADDRESS = 50
/** Milliseconds to wait after the last free failure. */
export const SIGN_IN_FIRST_WAIT_MS = 1_000
/** Milliseconds to wait at most. */
export const SIGN_IN_MAX_WAIT_MS = 30_000
/** Milliseconds without an attempt after which failures are forgotten. */
export const SIGN_IN_FORGET_MS = 15 * 60_000

/** Passwords hashed at a time: each takes a core, and the memory of its cost. */
export const PASSWORDS_AT_ONCE = 2
/**
 * Sign-ins that wait for their turn at most: from devices that are known, from all others, and of
 * the latter from one network. About four seconds of work, so that no client gives up meanwhile.
 */
export const PASSWORDS_WAITING_MAX = { known: 64, unknown: 24 } as const
export const PASSWORDS_OF_NETWORK_MAX = 10
/** Milliseconds after which a client that found the queue full may try again. */
export const PASSWORDS_BUSY_WAIT_MS = 5_000

/**
 * Prefixes of IPv6 by which clients are counted, the narrowest first, and the share of a limit that
 * all clients of one have together. A household or a machine has a /64 at least and can choose the
 * other bits freely; many providers give out a /56 or a /48.
 */
export const IPV6_PREFIXES = [
  { bits: 64, share: 1 },
  { bits: 56, share: 2 },
  { bits: 48, share: 4 },
] as const

/** Says that a device has signed in before; sent only when signing in. */
export const DEVICE_COOKIE = 'device'
export const DEVICE_COOKIE_PATH = '/v1/login'
/** Seconds. */
export const DEVICE_COOKIE_AGE = 365 * 24 * 60 * 60
/** Users that one device is known for; the one who has not signed in for longest is forgotten. */
export const DEVICE_USERS_MAX = 5

/**
 * Of a 429.
 * @param what of which there were too many
 * @returns the message for a caller who has to wait so many milliseconds
 */
export const tooMany =
  (what: string) =>
  (waitMs: number): string => {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return `too many ${what}; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  }

/** Reads of what the sign-in page shows that are free for one address; later ones have to wait. */
export const SIGN_IN_FREE_VIEWS = 300
export const tooManySignInViewsMessage = tooMany('sign-in pages')

/**
 * Why a session has ended, other than by signing out: by its time; by the user, somewhere else; by
 * an administrator; by a new password; or because the user was deleted or deactivated.
 */
export const sessionEndReasons = ['expired', 'ended', 'administrator', 'password', 'user'] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** Of a 400 when a user changes their password. */
export const notPresentPassword = 'this is not the present password'

export const tooManySignInsMessage = tooMany('failed sign-in attempts')
/** Of a 429 for a sign-in that finds no place in the queue; its password was not checked. */
export const signInBusyMessage = tooMany('sign-ins at the same time')

/**
 * Whether a text is a path of this host, with its query. `//host` and `/\\host` would lead to another
 * one, and browsers leave out tabs and line breaks.
 */
export const isRelativeUri = (text: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)

/**
 * The name of a `meta` element. A browser that brings an answer of an identity provider which is
 * refused gets the page of the console, with the error in this element as JSON.
 */
export const SIGN_IN_PROBLEM = 'sign-in-problem'

/** Says which silo a browser has last signed in to; sent with every request. */
export const SILO_COOKIE = 'silo'
/** Seconds. */
export const SILO_COOKIE_AGE = 365 * 24 * 60 * 60
/** The query parameter of `/login` for the name of another silo. */
export const LOGIN_SILO = 'silo'
/** Where a user says which silo to sign in to; it has the same parameter, for a name that is wrong. */
export const SILO_CHOICE_PATH = '/login/choose'

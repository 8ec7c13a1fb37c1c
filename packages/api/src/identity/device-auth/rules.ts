/** Access tokens, and how a device obtains one (control plane 2.6, RFC 8628). */
import { tooMany } from '../auth/sign-in.ts'

/** Prefix of access tokens; 40 hexadecimal digits follow. */
export const ACCESS_TOKEN_PREFIX = 'oxide-token-'
export const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
/** Random bytes in the code with which a device fetches its token. */
export const DEVICE_CODE_BYTES = 20
/** Letters of user codes: easy to tell apart, and without vowels so that no words appear. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
/** Letters of a user code, written with a dash in the middle. */
export const USER_CODE_LENGTH = 8

/** A user code as shown and sent: `ABCD-EFGH`. */
export const formatUserCode = (letters: string): string =>
  `${letters.slice(0, USER_CODE_LENGTH / 2)}-${letters.slice(USER_CODE_LENGTH / 2)}`

/** Milliseconds until an unconfirmed user code expires. */
export const DEVICE_REQUEST_MS = 5 * 60_000
/** Milliseconds that a request is kept, so that a late confirmation gets an explanation. */
export const DEVICE_REQUEST_KEPT_MS = 60 * 60_000
/** Free requests per address; further ones have to wait. */
export const DEVICE_FREE_REQUESTS = 100

export const deviceMessages = {
  expired: 'device authorization request expired',
  overSiloMax: (seconds: number, max: number) =>
    `Requested TTL ${seconds} seconds exceeds maximum allowed TTL for this silo of ${max} seconds`,
  overOwnExpiry:
    "Requested token TTL would exceed the expiration time of the token being used to authenticate the confirm request. To get the full requested TTL, confirm this token using a web console session. Alternatively, omit requested TTL to get a token with the longest allowed lifetime, determined by the lesser of the silo max and the current token's expiration time.",
  tooManyGuesses: tooMany('wrong codes'),
  tooManyRequests: tooMany('requests for codes'),
} as const

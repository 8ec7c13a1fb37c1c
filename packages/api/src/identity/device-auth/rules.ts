/** Access tokens, and how a device gets one (control plane 2.6, RFC 8628). */
import { tooMany } from '../auth/sign-in.ts'

/** Access tokens begin with this; 40 hexadecimal digits follow. */
export const ACCESS_TOKEN_PREFIX = 'oxide-token-'
export const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'
/** Random bytes in the code by which a device fetches its token. */
export const DEVICE_CODE_BYTES = 20
/** Letters of user codes: none is easily mistaken for another, and no words come about. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
/** Letters of a user code; a dash stands in the middle. */
export const USER_CODE_LENGTH = 8

/** A user code as it is shown and sent: `ABCD-EFGH`. */
export const formatUserCode = (letters: string): string =>
  `${letters.slice(0, USER_CODE_LENGTH / 2)}-${letters.slice(USER_CODE_LENGTH / 2)}`

/** Milliseconds in which a user code can be confirmed. */
export const DEVICE_REQUEST_MS = 5 * 60_000
/** Milliseconds that a request is kept; a user who confirms it too late is told so. */
export const DEVICE_REQUEST_KEPT_MS = 60 * 60_000
/** Requests from one address that are free; later ones have to wait. */
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

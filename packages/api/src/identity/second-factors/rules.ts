/**
 * Second factors of local users: time-based one-time passwords (RFC 6238), recovery codes, and
 * passkeys (Web Authentication Level 3).
 */

/** Requirement of a silo, for users with a password here. */
export const secondFactorPolicies = ['optional', 'required', 'passkey'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/** Second factors of a user. */
export const secondFactorKinds = ['totp', 'passkey'] as const
export type SecondFactorKind = (typeof secondFactorKinds)[number]

/**
 * Words of the filter of users by their second factors. `none` and `no_passkey` cover users who sign
 * in with a password here, because the others need none.
 */
export const secondFactorWords = ['none', 'no_passkey', ...secondFactorKinds] as const
export type SecondFactorWord = (typeof secondFactorWords)[number]

/**
 * The users whom a requirement asks to set up a factor at their next sign-in; undefined if it asks
 * nobody.
 */
export const lackingFor: Record<SecondFactorPolicy, SecondFactorWord | undefined> = {
  optional: undefined,
  required: 'none',
  passkey: 'no_passkey',
}

/** Digits of a one-time password, and its seconds. */
export const TOTP_DIGITS = 6
export const TOTP_PERIOD_S = 30
/** Periods before and after the present one whose passwords are accepted, because clocks differ. */
export const TOTP_WINDOW = 1
/** Bytes of a secret (RFC 4226, section 4: at least 16, 20 recommended). */
export const TOTP_SECRET_BYTES = 20

/** Recovery codes that a user gets at once, and the characters of each. */
export const RECOVERY_CODES = 10
export const RECOVERY_CODE_LENGTH = 16
/** Passkeys per user, and the maximum length of the name of one. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 63

/** Cookie between the password and the second factor; it says that the password was right. */
export const SIGN_IN_TICKET_COOKIE = 'sign-in'
/** Cookie of a browser that signs in with a passkey alone. */
export const PASSKEY_COOKIE = 'passkey'
export const SIGN_IN_STEP_PATH = '/x/v1/login'
/** Milliseconds for the steps of a sign-in after the password, and for the use of a challenge. */
export const SIGN_IN_STEP_MS = 10 * 60_000

/** Six digits, as typed: blanks are left out. */
export const normalTotp = (typed: string): string => typed.replaceAll(/\s/g, '')

/** A recovery code as typed: without dashes and blanks, in lower case. */
export const normalRecoveryCode = (typed: string): string =>
  typed.replaceAll(/[\s-]/g, '').toLowerCase()

/** A recovery code as shown, in groups of four. */
export const formatRecoveryCode = (code: string): string => code.replaceAll(/(.{4})(?=.)/g, '$1-')

/** Whether browsers can use passkeys at a host: it needs a name, not an address. */
export const permitsPasskeys = (hostname: string): boolean =>
  !/^\[|^[\d.]+$/.test(hostname) && hostname !== ''

export const secondFactorMessages = {
  /** Refusals of a factor. */
  wrongCode: 'this code is not valid, or was used before',
  wrongRecoveryCode: 'this is none of your unused recovery codes',
  refused: (reason: string) => `the passkey was refused: ${reason}`,
  unknownPasskey: 'it is not registered here',
  stale: 'it answers no question of this sign-in, or too late',
  otherHost: 'it belongs to another host name of this console',
  /** Passkeys at a host without a name. */
  noHost:
    'browsers use passkeys only at a host name with TLS (or at localhost), not at an IP address',
  notPermitted: 'the silo requires a passkey',
  tooMany: `a user has at most ${PASSKEYS_MAX} passkeys`,
  registered: 'this passkey is registered already',
  badSecret: 'is not a secret of this kind',
} as const

import { PASSWORD_MAX } from '../../rules/limits.ts'

/** Message of the 400. */
export const passwordTooLong = 'the password provided was too long'

const isTooLong = (password: string): boolean =>
  new TextEncoder().encode(password).length > PASSWORD_MAX

/** Problem with a password, existing or new: its length in UTF-8 bytes. */
export const passwordRefusal = (password: string): string | undefined =>
  isTooLong(password) ? passwordTooLong : undefined

/** Form message for an existing password. */
export const passwordProblem = (password: string): string | undefined =>
  isTooLong(password) ? `Must be ${PASSWORD_MAX} bytes or fewer` : undefined

/**
 * Default minimum length of a new password in characters (NIST SP 800-63B, 5.1.1.2); operators may
 * change it.
 */
export const PASSWORD_MIN = 8
/** Maximum length of a new password in characters. */
export const NEW_PASSWORD_MAX = 256

/** Message for one of the most common passwords. Forms do not have the list. */
export const commonPassword = 'Must not be one of the most common passwords'

/**
 * Problem with a new password, as far as the text alone can tell.
 * @param min minimum number of characters
 * @param user name of the user, if known
 */
export function newPasswordProblem(
  password: string,
  min: number,
  user: string | undefined,
): string | undefined {
  const { length } = [...password]
  if (length < min) return `Must be at least ${min} ${min === 1 ? 'character' : 'characters'}`
  if (length > NEW_PASSWORD_MAX) return `Must be ${NEW_PASSWORD_MAX} characters or fewer`
  if (user && password.toLowerCase() === user.toLowerCase()) {
    return 'Must not be the name of the user'
  }
  return passwordProblem(password)
}

/** Characters without easily confused ones. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A random password that can be read aloud and typed. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

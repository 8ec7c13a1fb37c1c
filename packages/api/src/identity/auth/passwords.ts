import { PASSWORD_MAX } from '../../rules/limits.ts'

/** Of a 400. */
export const passwordTooLong = 'the password provided was too long'

const isTooLong = (password: string): boolean =>
  new TextEncoder().encode(password).length > PASSWORD_MAX

/** Why a text cannot be a password, also not one that exists: its length in bytes of UTF-8. */
export const passwordRefusal = (password: string): string | undefined =>
  isTooLong(password) ? passwordTooLong : undefined

/** The same, as a form for a password that exists says it. */
export const passwordProblem = (password: string): string | undefined =>
  isTooLong(password) ? `Must be ${PASSWORD_MAX} bytes or fewer` : undefined

/** Characters of a new password at least (NIST SP 800-63B, 5.1.1.2); an operator may set another one. */
export const PASSWORD_MIN = 8
/** Characters of a new password at most. */
export const NEW_PASSWORD_MAX = 256

/** Of a new password that is one of the most common ones; a form does not know these. */
export const commonPassword = 'Must not be one of the most common passwords'

/**
 * Why a text cannot be a new password, as far as it follows from the text.
 * @param min characters that it needs
 * @param user name of the user, if it is known
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

/** Characters that are not easily mistaken for each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A random password that can be read aloud and typed. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

import { PASSWORD_MAX } from './limits.ts'

/** Of a 400. */
export const passwordTooLong = 'the password provided was too long'

const isTooLong = (password: string): boolean =>
  new TextEncoder().encode(password).length > PASSWORD_MAX

/** Why a password cannot be one: the only rule is its length in bytes of UTF-8. */
export const passwordRefusal = (password: string): string | undefined =>
  isTooLong(password) ? passwordTooLong : undefined

/** The same, as a form says it. */
export const passwordProblem = (password: string): string | undefined =>
  isTooLong(password) ? `Must be ${PASSWORD_MAX} bytes or fewer` : undefined

/** Characters that are not easily mistaken for each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A random password that can be read aloud and typed. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

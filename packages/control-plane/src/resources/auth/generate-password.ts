/** Characters that are not easily mistaken for each other. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 20

/** A random password that can be read aloud and typed. */
export function generatePassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

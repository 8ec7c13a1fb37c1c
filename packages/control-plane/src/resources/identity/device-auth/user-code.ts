import { formatUserCode, USER_CODE_LENGTH, USER_CODE_LETTERS } from '@steading/api/rules'

/** Bytes from here on are skipped, so that every letter is equally likely. */
const FAIR = 256 - (256 % USER_CODE_LETTERS.length)

/** A random code that can be read aloud and typed. */
export function randomUserCode(): string {
  let letters = ''
  while (letters.length < USER_CODE_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(USER_CODE_LENGTH))) {
      if (byte < FAIR) letters += USER_CODE_LETTERS[byte % USER_CODE_LETTERS.length]
    }
  }
  return formatUserCode(letters.slice(0, USER_CODE_LENGTH))
}

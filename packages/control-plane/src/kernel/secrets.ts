/** Random secrets, and the digests by which they are stored. */
import { stringToUint8Array, uint8ArrayToHex } from 'uint8array-extras'

/** Random bytes, in hexadecimal. */
export const randomToken = (bytes: number): string =>
  uint8ArrayToHex(crypto.getRandomValues(new Uint8Array(bytes)))

/** SHA-256, in hexadecimal. */
export async function digest(text: string): Promise<string> {
  return uint8ArrayToHex(await crypto.subtle.digest('SHA-256', stringToUint8Array(text)))
}

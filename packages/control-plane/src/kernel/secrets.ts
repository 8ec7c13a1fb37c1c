/** Random secrets, and the digests by which they are stored. */
import { stringToUint8Array, uint8ArrayToHex } from 'uint8array-extras'

/** Random bytes, in hexadecimal. */
export const randomToken = (bytes: number): string =>
  uint8ArrayToHex(crypto.getRandomValues(new Uint8Array(bytes)))

/** HMAC-SHA256 of a text, in hexadecimal. */
export async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = stringToUint8Array(secret)
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  return uint8ArrayToHex(await crypto.subtle.sign('HMAC', key, stringToUint8Array(text)))
}

/** SHA-256, in hexadecimal. */
export async function digest(text: string): Promise<string> {
  return uint8ArrayToHex(await crypto.subtle.digest('SHA-256', stringToUint8Array(text)))
}

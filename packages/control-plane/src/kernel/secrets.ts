/** Random secrets, and the digests by which they are stored. */
import {
  base64ToUint8Array,
  stringToUint8Array,
  uint8ArrayToBase64,
  uint8ArrayToHex,
  uint8ArrayToString,
} from 'uint8array-extras'

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

const IV_BYTES = 12

async function sealingKey(secret: string, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  // Not the digest by which a token is stored.
  const bytes = stringToUint8Array(`sealed with ${secret}`)
  const key = await crypto.subtle.digest('SHA-256', bytes)
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, [use])
}

/** Encrypts a text with a random secret that is stored only as a digest. */
export async function seal(text: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const key = await sealingKey(secret, 'encrypt')
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, stringToUint8Array(text))
  const bytes = new Uint8Array(IV_BYTES + sealed.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(sealed), IV_BYTES)
  return uint8ArrayToBase64(bytes)
}

/** The text that was sealed with a secret; undefined for another secret, or a damaged text. */
export async function unseal(sealed: string, secret: string): Promise<string | undefined> {
  try {
    const bytes = base64ToUint8Array(sealed)
    const iv = bytes.slice(0, IV_BYTES)
    const key = await sealingKey(secret, 'decrypt')
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(IV_BYTES))
    return uint8ArrayToString(text)
  } catch {
    return undefined
  }
}

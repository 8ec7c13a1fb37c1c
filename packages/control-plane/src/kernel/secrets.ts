/** Random secrets, and the digests by which they are stored. */

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Random bytes, in hexadecimal. */
export const randomToken = (bytes: number): string =>
  hex(crypto.getRandomValues(new Uint8Array(bytes)))

/** SHA-256, in hexadecimal. */
export async function digest(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

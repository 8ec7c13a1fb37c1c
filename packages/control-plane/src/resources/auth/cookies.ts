/** Cookies of sessions and devices: reading, digests and attributes. */

const hex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const randomToken = (bytes: number): string =>
  hex(crypto.getRandomValues(new Uint8Array(bytes)))

/** SHA-256, in hexadecimal. */
export async function digest(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** The value of a cookie of a request; undefined if it is missing or empty. */
export function cookieOf(request: Request, name: string): string | undefined {
  const cookies = request.headers.get('cookie')
  if (!cookies) return undefined
  for (const cookie of cookies.split(';')) {
    const [key, value] = cookie.trim().split('=', 2)
    if (key === name && value) return value
  }
  return undefined
}

/**
 * The attribute `Secure` for requests over TLS, so that the cookie is not sent over plain
 * connections.
 */
export const secureFlag = (request: Request): string =>
  new URL(request.url).protocol === 'https:' ? ' Secure;' : ''

/** Cookies of sessions and devices: reading them, and their attributes. */

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

/** Cookies of sessions and devices: reading them, and their attributes. */

/**
 * The values of all cookies of a request with a name. A browser sends several if another path or
 * another server on the same host has set one.
 */
export function cookiesOf(request: Request, name: string): string[] {
  const cookies = request.headers.get('cookie')
  if (!cookies) return []
  return cookies.split(';').flatMap((cookie) => {
    const [key, value] = cookie.trim().split('=', 2)
    return key === name && value ? [value] : []
  })
}

/** The value of a cookie of a request; undefined if it is missing or empty. */
export const cookieOf = (request: Request, name: string): string | undefined =>
  cookiesOf(request, name)[0]

/**
 * The attribute `Secure` for requests over TLS, so that the cookie is not sent over plain
 * connections.
 */
export const secureFlag = (request: Request): string =>
  new URL(request.url).protocol === 'https:' ? ' Secure;' : ''

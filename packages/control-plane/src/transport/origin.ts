import { sessionToken } from '../resources/auth/sessions.ts'
import { fail } from '../kernel/errors.ts'

const isSafe = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** The host of a URL; undefined for what is none, as the origin `null`. */
const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined

/**
 * Refuses what a page of another site, or of another port of the same host, asks for in the name of
 * the person who looks at it. A browser sends the session's cookie along with some of its requests,
 * and always with WebSockets.
 *
 * Where browsers say in `sec-fetch-site` from which page a request comes, that counts; pages cannot
 * set it. They leave it out over plain HTTP, so there `origin`, or without one the referrer, must be
 * of the host that was asked. Clients that are no browsers send none of these.
 *
 * Calls without a cookie have nothing to steal, but signing in itself would give the browser the
 * session of somebody else. Login forms of identity providers do come from elsewhere, and act by
 * what they carry.
 * @throws ApiError 403
 */
export function checkOrigin(request: Request): void {
  const { headers, method, url } = request
  const { host, pathname } = new URL(url)
  if (pathname.startsWith('/login/')) return
  if (!sessionToken(request) && !pathname.startsWith('/v1/login/')) return
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site === 'same-origin') return
  if (site === 'cross-site' || site === 'same-site') {
    if (isSafe(method) && origin === null) return
    throw fail.forbidden()
  }
  const from = origin ?? (isSafe(method) ? null : headers.get('referer'))
  if (from !== null && hostOf(from) !== host) throw fail.forbidden()
}

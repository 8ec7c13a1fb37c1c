import { isSamlLoginPath } from '@steading/api/rules'
import { fail } from '../kernel/errors.ts'
import type { Settings } from '../kernel/settings.ts'
import { sessionTokens } from '../resources/identity/sessions/sessions.ts'

type Log = Settings['log']

/** Pairs of hosts in the log at most; the headers are a stranger's. */
const LOGGED_MAX = 8
const logged = new WeakMap<Log, Set<string>>()

/** Logs each of the first pairs of hosts once, however many calls are refused. */
function logOnce(log: Log, message: string): void {
  const messages = logged.get(log) ?? new Set()
  logged.set(log, messages)
  if (messages.size >= LOGGED_MAX || messages.has(message)) return
  messages.add(message)
  log(`refused a call: ${message}`)
}

const isSafe = (method: string): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** The host of a URL; undefined for a text that is no URL, such as the origin `null`. */
const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined

/**
 * Refuses requests that a page of another site, or of another port of the same host, makes with the
 * session of its viewer. A browser sends the session's cookie along with some requests of such
 * pages, and always with WebSockets.
 *
 * If the browser sends `sec-fetch-site`, that header decides; pages cannot set it. Browsers omit it
 * over plain HTTP; then `origin`, or the referrer if there is no `origin`, must name the host of
 * the request. Clients other than browsers send none of these headers.
 *
 * Requests without the cookie cannot misuse a session, but signing in is checked too: another site
 * could sign the browser in to a session of its own. Answers of identity providers do come from
 * other sites; they are authenticated by their content.
 * @throws ApiError 403
 */
export function checkOrigin(request: Request, log: Log): void {
  const { headers, method, url } = request
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site === 'same-origin') return
  // Most calls of clients other than browsers; skips parsing the URL.
  if (site === null && origin === null && isSafe(method)) return
  const { host, pathname } = new URL(url)
  if (method === 'POST' && isSamlLoginPath(pathname)) return
  if (sessionTokens(request).length === 0 && !/^(?:\/x)?\/v1\/login\//.test(pathname)) return
  if (site === 'cross-site' || site === 'same-site') {
    if (isSafe(method) && origin === null) return
    throw fail.forbidden()
  }
  const from = origin ?? (isSafe(method) ? null : headers.get('referer'))
  const asked = from === null ? host : hostOf(from)
  if (asked === host) return
  const refusal = fail.otherHost(host, asked)
  logOnce(log, refusal.message)
  throw refusal
}

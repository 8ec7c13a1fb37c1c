import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorTemplate } from '@steading/api/rules'
import { securityHeaders } from './static.ts'

/** An answer the host gives in place of the control plane, in the form of its errors. */
export function refusal(
  { status, error_code, message }: ErrorTemplate,
  request_id: string = crypto.randomUUID(),
): Response {
  const body = { request_id, ...(error_code ? { error_code } : {}), message }
  const headers = { ...securityHeaders(), 'x-request-id': request_id }
  return Response.json(body, { status, headers })
}

/**
 * Whether a browser says that a page from another site, or from another port of the same host, asks
 * for a change. It sends the session's cookie along with some such requests, so that they would act
 * in the name of whoever is signed in. Login forms of identity providers do come from elsewhere,
 * and act by what they carry.
 */
export function changesFromElsewhere(method: string, path: string, headers: Headers): boolean {
  if (method === 'GET' || method === 'HEAD' || path.startsWith('/login/')) return false
  const site = headers.get('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

/** Whether a page from elsewhere opens a socket; its cookies come along even without a change. */
export function connectsFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers
  if (origin === undefined || headers['sec-fetch-site'] === 'same-origin') return false
  const from = URL.canParse(origin) ? new URL(origin).host : undefined
  return from === undefined || (from !== host && from !== headers['x-forwarded-host'])
}

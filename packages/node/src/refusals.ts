import type { ErrorTemplate } from '@steading/api/rules'
import { securityHeaders } from './static.ts'

/** An error that the host itself answers with, in the form of the control plane's errors. */
export function refusal(
  { status, error_code, message }: ErrorTemplate,
  request_id: string = crypto.randomUUID(),
): Response {
  const body = { request_id, ...(error_code ? { error_code } : {}), message }
  const headers = { ...securityHeaders(), 'cache-control': 'no-store', 'x-request-id': request_id }
  return Response.json(body, { status, headers })
}

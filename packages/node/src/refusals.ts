import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorTemplate } from '@steading/api/rules'
import { securityHeaders } from './static.ts'

/** An error of the host itself, in the format of the control plane's errors. */
export function refusal(
  { status, error_code, message }: ErrorTemplate,
  request_id: string = crypto.randomUUID(),
): Response {
  const body = { request_id, ...(error_code ? { error_code } : {}), message }
  const headers = { ...securityHeaders(), 'cache-control': 'no-store', 'x-request-id': request_id }
  return Response.json(body, { status, headers })
}

/**
 * Writes a response directly to the socket, where Node has no response object; closes the
 * connection.
 */
export async function endWith(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  response.headers.set('content-length', String(body.length))
  response.headers.set('connection', 'close')
  const lines = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`]
  for (const [name, value] of response.headers) lines.push(`${name}: ${value}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  socket.end(Buffer.concat([head, body]), () => socket.destroy())
}

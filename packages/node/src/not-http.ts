import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errors, type ErrorTemplate } from '@steading/api/rules'
import { errorCode } from '@steading/files'
import { endWith, refusal } from './refusals.ts'

/** Maximum size of request headers in bytes. */
export const MAX_HEADER_BYTES = 16 * 1024

function problemOf(error: Error): ErrorTemplate {
  switch (errorCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return errors.headersTooLarge(MAX_HEADER_BYTES)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errors.requestTimeout()
    default:
      return errors.notHttp()
  }
}

/**
 * Answers Node's own refusals with errors of the contract: input other than HTTP, headers that are
 * too large, and requests that time out.
 */
export function refuseWhatIsNotHttp(server: Server): void {
  /** Last response on each connection. */
  const responses = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => responses.set(socket, response))
  server.on('clientError', (error, socket) => {
    const response = responses.get(socket)
    // Bytes in the middle of another response would be taken for a part of it.
    const isAnswering = response?.headersSent && !response.writableFinished
    if (!socket.writable || isAnswering) socket.destroy(error)
    else void endWith(socket, refusal(problemOf(error)))
  })
}

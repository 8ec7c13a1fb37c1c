import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errors, type ErrorTemplate } from '@steading/api/rules'
import { errorCode } from '@steading/files'
import { endWith, refusal } from './refusals.ts'

/** Most bytes of the headers of a request. */
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
 * Answers with an error of the contract what Node itself refuses: what is not HTTP, headers that are
 * too large, and requests that do not arrive in time.
 */
export function refuseWhatIsNotHttp(server: Server): void {
  /** The last response on each connection. */
  const responses = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => responses.set(socket, response))
  server.on('clientError', (error, socket) => {
    const response = responses.get(socket)
    // Bytes in the middle of another answer would be taken for a part of it.
    const isAnswering = response?.headersSent && !response.writableFinished
    if (!socket.writable || isAnswering) socket.destroy(error)
    else void endWith(socket, refusal(problemOf(error)))
  })
}

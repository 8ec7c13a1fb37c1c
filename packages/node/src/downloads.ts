import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { giveBack } from './give-back.ts'
import type { Log } from './log.ts'

export const isDownload = (response: Response): boolean =>
  response.headers.has('content-disposition') && response.body !== null

/**
 * Sends a download as fast as the client takes it. If its bytes fail in the middle, the connection
 * ends, so that the client sees that it is incomplete, and the log names the request.
 */
export async function sendDownload(
  request: Request,
  { status, headers, body }: Response,
  outgoing: ServerResponse,
  log: Log,
): Promise<void> {
  /** The pieces of the body; the memory of each is given back when it has been sent. */
  async function* pieces() {
    try {
      for await (const piece of body!) {
        yield piece
        // The pipeline waits until a piece that is larger than the connection's buffer is sent.
        if (piece.length > outgoing.writableHighWaterMark) giveBack(piece)
      }
    } catch (error) {
      const { pathname } = new URL(request.url)
      const id = headers.get('x-request-id')
      log(`${request.method} ${pathname} was cut short (request ${id})`, error)
      throw error
    }
  }
  outgoing.setHeaders(headers).writeHead(status)
  await pipeline(pieces, outgoing).catch(() => {
    // The client has gone, or the log tells why.
  })
}

import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
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
  /**
   * The pieces of the body. The memory of each is given back when it has been sent: collecting it,
   * which means to look at everything that lives after each 64 MB, takes half of a download's time.
   */
  async function* pieces() {
    try {
      for await (const piece of body!) {
        yield piece
        // The pipeline waits until a piece that is larger than the connection's buffer is sent.
        const isSent = piece.length > outgoing.writableHighWaterMark
        if (isSent && piece.length === piece.buffer.byteLength) piece.buffer.transfer(0)
      }
    } catch (error) {
      const { pathname } = new URL(request.url)
      const id = headers.get('x-request-id')
      log(`${request.method} ${pathname} was cut short (request ${id})`, error)
      throw error
    }
  }
  outgoing.writeHead(status, Object.fromEntries(headers))
  await pipeline(pieces, outgoing).catch(() => {
    // The client has gone, or the log tells why.
  })
}

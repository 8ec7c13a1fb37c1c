import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@steading/control-plane'
import { giveBack } from './give-back.ts'
import type { ServerLog } from './log.ts'

export const isDownload = (response: Response): boolean =>
  response.headers.has('content-disposition') && response.body !== null

/**
 * How a download ended: `cut` by its client, `refused` in the middle because the caller lost the right
 * to it or it was deleted, or `failed`.
 */
export type DownloadOutcome = 'complete' | 'cut' | 'refused' | 'failed'

/**
 * Sends a download as fast as the client takes it. If its bytes end in the middle, so does the
 * connection, and the client sees that it is incomplete. Only a failure is a problem of the server;
 * a refusal is one line of information, and a client that leaves is none. Reading ends as soon as the
 * client has left.
 * @param response a response with a body
 */
export async function sendDownload(
  request: Request,
  { status, headers, body }: Response,
  outgoing: ServerResponse,
  { problem, info }: Pick<ServerLog, 'problem' | 'info'>,
): Promise<DownloadOutcome> {
  const reader = body!.getReader()
  let outcome: DownloadOutcome = 'cut'
  const fail = (error: unknown) => {
    const { pathname } = new URL(request.url)
    const line = `${request.method} ${pathname} was cut short (request ${headers.get('x-request-id')})`
    const refused = error instanceof ApiError && error.template.status < 500
    outcome = refused ? 'refused' : 'failed'
    // An outage has been told of.
    if (error instanceof ApiError) info(`${line}: ${error.message}`)
    else problem(line, error)
  }
  /** The pieces of the body; the memory of each is given back when it has been sent. */
  async function* pieces() {
    try {
      for (;;) {
        const { value: piece, done } = await reader.read()
        if (done) return
        yield piece
        // The pipeline waits until a piece that is larger than the connection's buffer is sent.
        if (piece.length > outgoing.writableHighWaterMark) giveBack(piece)
      }
    } catch (error) {
      fail(error)
      throw error
    }
  }
  // The pipeline would wait for the next piece first.
  const leave = () => void reader.cancel().catch(() => {})
  outgoing.once('close', leave)
  if (outgoing.destroyed) leave()
  outgoing.setHeaders(headers).writeHead(status)
  try {
    await pipeline(pieces, outgoing)
    outcome = 'complete'
  } catch {
    // The client has gone, or the log tells why.
  }
  return outcome
}

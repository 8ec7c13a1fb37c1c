import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@steading/control-plane'
import { giveBack } from './give-back.ts'
import type { ServerLog } from './log.ts'

export const isDownload = (response: Response): boolean =>
  response.headers.has('content-disposition') && response.body !== null

/**
 * Outcome of a download: `cut` by its client, `refused` midway because the caller lost access or
 * the contents were deleted, or `failed`.
 */
export type DownloadOutcome = 'complete' | 'cut' | 'refused' | 'failed'

/**
 * Sends a download at the client's pace. If the source ends prematurely, the connection is closed,
 * so that the client sees that the download is incomplete. Only a failure is logged as a problem; a
 * refusal is one line of information, and a client that leaves is not logged. Reading stops as soon
 * as the client has left.
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
    // The outage has been logged.
    if (error instanceof ApiError) info(`${line}: ${error.message}`)
    else problem(line, error)
  }
  /** Chunks of the body, whose memory is released once they have been sent. */
  async function* pieces() {
    try {
      for (;;) {
        const { value: piece, done } = await reader.read()
        if (done) return
        yield piece
        // The pipeline waits until a chunk larger than the connection's buffer has been sent.
        if (piece.length > outgoing.writableHighWaterMark) giveBack(piece)
      }
    } catch (error) {
      fail(error)
      throw error
    }
  }
  // The pipeline would wait for the next chunk first.
  const leave = () => void reader.cancel().catch(() => {})
  outgoing.once('close', leave)
  if (outgoing.destroyed) leave()
  outgoing.setHeaders(headers).writeHead(status)
  try {
    await pipeline(pieces, outgoing)
    outcome = 'complete'
  } catch {
    // The client has left, or the error has been logged.
  }
  return outcome
}

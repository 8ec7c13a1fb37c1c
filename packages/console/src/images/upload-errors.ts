import { ApiError } from '../data/errors.ts'
import { UnreadableFileError } from './upload-chunks.ts'

/** What a proxy says in place of a server that is away for a moment. */
const away = new Set([502, 503, 504])

/** No answer came, as opposed to one that says no. */
export const connectionLost = (error: unknown): boolean =>
  error instanceof ApiError
    ? away.has(error.statusCode)
    : error instanceof TypeError || (error as Error | undefined)?.name === 'TimeoutError'

/** Why an upload failed, for the person. What only programmers would understand is not told. */
export function hurdle(error: unknown): string {
  if (error instanceof ApiError) {
    const telling = error.errorCode && error.errorCode !== 'Internal'
    return telling ? error.message : 'Something went wrong. Please try again.'
  }
  if (error instanceof UnreadableFileError || error instanceof DifferentContentError) {
    return error.message
  }
  return 'Something went wrong. Please try again.'
}

/** What is on the server is not what is in the file. */
export class DifferentContentError extends Error {}

/** Resolves early when the browser says that it is online again; rejects when aborted. */
export function waitOnline(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = new AbortController()
    const finish = (settle: () => void) => () => {
      clearTimeout(timer)
      end.abort()
      settle()
    }
    const timer = setTimeout(finish(resolve), milliseconds)
    const listening = { signal: end.signal }
    globalThis.addEventListener?.('online', finish(resolve), listening)
    stop.addEventListener(
      'abort',
      finish(() => reject(stop.reason as Error)),
      listening,
    )
  })
}

import { ApiError } from '../../data/errors.ts'
import { UnreadableFileError } from './upload-chunks.ts'

/** No answer at all, and those of a proxy while the server is not reachable. */
const away = new Set([0, 502, 503, 504])

/** Whether no answer came, as opposed to a refusal. */
export const connectionLost = (error: unknown): boolean =>
  error instanceof ApiError
    ? away.has(error.statusCode)
    : error instanceof TypeError || (error as Error | undefined)?.name === 'TimeoutError'

/** Why an upload failed, for the user. Technical errors are not shown. */
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

/** The content on the server differs from the file. */
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

import { ApiError } from '../../data/errors.ts'
import { ProxyLimitError } from './proxy-limit.ts'
import { UnreadableFileError } from './upload-chunks.ts'

/** Statuses of an unreachable server: no response, or a response of a proxy. */
const away = new Set([0, 502, 503, 504])

/** Whether the server did not respond, as opposed to refusing. */
export const connectionLost = (error: unknown): boolean =>
  error instanceof ApiError
    ? away.has(error.statusCode)
    : error instanceof TypeError || (error as Error | undefined)?.name === 'TimeoutError'

/** The message for a failed upload. Technical errors are not shown. */
export function uploadErrorMessage(error: unknown): string {
  if (error instanceof ApiError) {
    const telling = error.errorCode && error.errorCode !== 'Internal'
    return telling ? error.message : 'Something went wrong. Please try again.'
  }
  const own = [ProxyLimitError, UnreadableFileError, DifferentContentError, ConversionError]
  if (own.some((kind) => error instanceof kind)) return (error as Error).message
  return 'Something went wrong. Please try again.'
}

/** The content on the server differs from the file. */
export class DifferentContentError extends Error {}

/** The server could not make a disk of the image in the file; its message is for the user. */
export class ConversionError extends Error {}

/** Waits; resolves early when the browser is online again, and rejects when aborted. */
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

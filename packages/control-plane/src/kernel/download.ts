/**
 * Answers whose body comes piece by piece, read no faster than the client receives it: files, all of
 * one or a range, and long computations.
 */
import type { HttpCall } from './context.ts'
import { ApiError, fail } from './errors.ts'
import { parseRange } from './range.ts'

export interface Download {
  fileName: string
  contentType: string
  /** In bytes. */
  size: number
  /** A text that changes with the bytes; undefined while they may change at any time. */
  version: string | undefined
  /**
   * Reads the bytes of a range, piece by piece. The host may reuse the memory of a piece once it is
   * sent.
   */
  read: (start: number, end: number) => AsyncGenerator<Uint8Array>
  /**
   * The error for a header that does not ask for one range; without it, such a header is ignored.
   */
  unclearRange?: ApiError
}

/** A stream of the pieces that a generator yields. */
export function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    // Nothing is read before the client asks for it; nothing at all for a HEAD request.
    { highWaterMark: 0 },
  )
}

/**
 * Has proxies pass an answer on unchanged and at once: nginx buffers it otherwise, and proxies that
 * compress hold its first pieces back.
 */
export function markStreamed(headers: Headers): void {
  headers.set('x-accel-buffering', 'no')
  const caching = headers.get('cache-control') ?? 'no-cache, no-store'
  headers.set('cache-control', `${caching}, no-transform`)
}

/** The response for a download: all bytes, or the requested range. */
export function serveDownload(
  { request }: Pick<HttpCall, 'request'>,
  download: Download,
): Response {
  const { fileName, contentType, size, version, unclearRange } = download
  const asked = request.headers
  const etag = version === undefined ? undefined : `"${version}"`
  const headers = new Headers({
    'content-type': contentType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'accept-ranges': 'bytes',
    'cache-control': etag ? 'private, no-cache' : 'no-store',
    ...(etag ? { etag } : {}),
  })
  const known = asked.get('if-none-match')?.split(/\s*,\s*/) ?? []
  if (etag && (known.includes(etag) || known.includes('*'))) {
    return new Response(null, { status: 304, headers })
  }
  const condition = asked.get('if-range')
  const range = condition === null || condition === etag ? asked.get('range') : null
  const found = parseRange(range, size)
  if (found === 'outside') {
    throw new ApiError(fail.rangeNotSatisfiable().template, { 'content-range': `bytes */${size}` })
  }
  if (found === 'unclear' && unclearRange) throw unclearRange
  const part = found === 'unclear' ? undefined : found
  const { start, end } = part ?? { start: 0, end: size }
  headers.set('content-length', String(end - start))
  if (part) headers.set('content-range', `bytes ${start}-${end - 1}/${size}`)
  return new Response(streamOf(download.read(start, end)), { status: part ? 206 : 200, headers })
}

import type { Context } from '../../kernel/context.ts'
import { ApiError, fail } from '../../kernel/errors.ts'
import { parseRange } from '../../kernel/range.ts'
import type { ControlPlaneServices } from '../../kernel/services.ts'

/** Bytes read at a time. */
const READ_BYTES = 1024 * 1024

/** Something whose bytes can be read. */
export interface Contents {
  name: string
  size: number
  /** Id of a volume or a snapshot of the engine; undefined for all zeros. */
  volumeId: string | undefined
  /** A text that changes with the bytes; undefined while they may change at any time. */
  version: string | undefined
}

/** Reads the bytes of a range, piece by piece. */
export async function* readPieces(
  { volumes }: Pick<ControlPlaneServices, 'volumes'>,
  { volumeId }: Contents,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += READ_BYTES) {
    const length = Math.min(READ_BYTES, end - at)
    yield volumeId === undefined ? new Uint8Array(length) : await volumes.read(volumeId, at, length)
  }
}

function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
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
    // Nothing is read before the client takes it; for a HEAD request nothing is read at all.
    { highWaterMark: 0 },
  )
}

/** The response for a download: all bytes, or the requested range. */
export function serveContents(
  { http, services }: Pick<Context, 'http' | 'services'>,
  contents: Contents,
): Response {
  const { name, size, version } = contents
  const asked = http.request.headers
  const etag = version === undefined ? undefined : `"${version}"`
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}.raw"`,
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
  const part = parseRange(range, size)
  if (part === 'outside') {
    throw new ApiError(fail.rangeNotSatisfiable().template, { 'content-range': `bytes */${size}` })
  }
  const { start, end } = part ?? { start: 0, end: size }
  headers.set('content-length', String(end - start))
  if (part) headers.set('content-range', `bytes ${start}-${end - 1}/${size}`)
  const body = streamOf(readPieces(services, contents, start, end))
  return new Response(body, { status: part ? 206 : 200, headers })
}

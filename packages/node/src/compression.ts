import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import type { JsonAnswer } from '@steading/control-plane'
import { accepts } from './static.ts'

/** Bytes; smaller answers fit into one packet anyway. */
const MIN_LENGTH = 1024
/**
 * Size in bytes up to which synchronous compression (some 30 µs for a page of 50) is cheaper than
 * another thread.
 */
const MAX_SYNC_LENGTH = 64 * 1024
/** Lists shrink to a fifth with this, and hardly more with further work or memory. */
const options = { level: constants.Z_BEST_SPEED, windowBits: 13, memLevel: 6 }

const compressElsewhere = promisify(gzip)

const JSON_TYPE = 'application/json'

/** Compresses the body of an answer. */
const zip = async (body: Uint8Array) =>
  new Uint8Array(
    body.length <= MAX_SYNC_LENGTH
      ? gzipSync(body, options)
      : await compressElsewhere(body, options),
  )

/**
 * The response of a JSON answer, compressed if it is large enough and the client accepts it.
 * @param own headers of the host
 */
export function respondTo(
  request: Request,
  { text, status, headers }: JsonAnswer,
  own: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const all: Record<string, string> = { ...headers, ...own }
  if (headers['content-type'] !== JSON_TYPE) return new Response(text, { status, headers: all })
  all.vary = 'accept-encoding'
  // A text has at least as many bytes as characters, and usually not more.
  if (text.length < MIN_LENGTH || !accepts(request.headers.get('accept-encoding'), 'gzip')) {
    return new Response(text, { status, headers: all })
  }
  all['content-encoding'] = 'gzip'
  return zip(Buffer.from(text)).then((body) => new Response(body, { status, headers: all }))
}

/**
 * Compresses a JSON answer if it is large enough and the client accepts it; other answers pass
 * unchanged. Every JSON answer has `Vary: Accept-Encoding`, for intermediate caches.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response
  // "Not modified" stands for a JSON answer.
  const isJson = headers.get('content-type') === JSON_TYPE || status === 304
  // Files that support ranges pass uncompressed, and so do answers that come piece by piece.
  const asItIs = headers.get('cache-control')?.includes('no-transform')
  if (!isJson || headers.has('accept-ranges') || asItIs) return response
  headers.append('vary', 'accept-encoding')
  if (status === 304) return response
  if (!accepts(request.headers.get('accept-encoding'), 'gzip')) return response
  const body = new Uint8Array(await response.arrayBuffer())
  if (body.length < MIN_LENGTH) return new Response(body, { status, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  return new Response(await zip(body), { status, headers })
}

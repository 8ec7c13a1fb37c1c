import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import type { JsonAnswer } from '@steading/control-plane'
import { accepts } from './static.ts'

/** Bytes; smaller answers fit in one packet anyway. */
const MIN_LENGTH = 1024
/**
 * Bytes up to which compressing on the spot (some 30 µs for a page of 50) is cheaper than handing
 * the work to another thread.
 */
const MAX_SYNC_LENGTH = 64 * 1024
/** Lists shrink to a fifth with this, and hardly further with more work or memory. */
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
 * The response of an answer in JSON, compressed if it is large enough and the client accepts it.
 * @param own headers that the host adds
 */
export function respondTo(
  request: Request,
  { text, status, headers }: JsonAnswer,
  own: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const all: Record<string, string> = { ...headers, ...own }
  if (headers['content-type'] !== JSON_TYPE) return new Response(text, { status, headers: all })
  all.vary = 'accept-encoding'
  // A text has at least as many bytes as characters, and most texts here have no more.
  if (text.length < MIN_LENGTH || !accepts(request.headers.get('accept-encoding'), 'gzip')) {
    return new Response(text, { status, headers: all })
  }
  all['content-encoding'] = 'gzip'
  return zip(Buffer.from(text)).then((body) => new Response(body, { status, headers: all }))
}

/**
 * Compresses a JSON answer if it is large enough and the client accepts it; other answers pass
 * unchanged. Every JSON answer has `Vary: Accept-Encoding`, for caches in between.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response
  // An answer that has not changed stands for one in JSON.
  const isJson = headers.get('content-type') === JSON_TYPE || status === 304
  // A file of which ranges can be had is passed on as it is.
  if (!isJson || headers.has('accept-ranges')) return response
  headers.append('vary', 'accept-encoding')
  if (status === 304) return response
  if (!accepts(request.headers.get('accept-encoding'), 'gzip')) return response
  const body = new Uint8Array(await response.arrayBuffer())
  if (body.length < MIN_LENGTH) return new Response(body, { status, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  return new Response(await zip(body), { status, headers })
}

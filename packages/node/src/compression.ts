import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { accepts } from './static.ts'

/** Bytes; smaller answers fit in one packet anyway. */
const MIN_LENGTH = 1024
/** The fastest level: lists shrink to a tenth with it, and hardly further with more work. */
const LEVEL = constants.Z_BEST_SPEED

const compress = promisify(gzip)

/** Compresses a JSON answer if it is worth it and the client takes it; others pass untouched. */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response
  if (headers.get('content-type') !== 'application/json') return response
  if (!accepts(request.headers.get('accept-encoding'), 'gzip')) return response
  const body = new Uint8Array(await response.arrayBuffer())
  if (body.length < MIN_LENGTH) return new Response(body, { status, headers })
  headers.set('content-encoding', 'gzip')
  headers.append('vary', 'accept-encoding')
  headers.delete('content-length')
  return new Response(new Uint8Array(await compress(body, { level: LEVEL })), { status, headers })
}

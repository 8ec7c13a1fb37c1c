import { bodyText } from '@steading/api'
import { API_VERSION, BODY_MAX } from '@steading/api/rules'
import { ApiError, fail } from '../kernel/errors.ts'

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

const numbers = (version: string): number[] => version.split(/[.+-]/).slice(0, 3).map(Number)

function newer(version: string, than: string): boolean {
  const [a, b] = [numbers(version), numbers(than)]
  for (const [index, part] of a.entries()) if (part !== b[index]) return part > b[index]!
  return false
}

/** @throws ApiError 400 for a version that is no version, or newer than this server */
function checkApiVersion(request: Request): void {
  const version = request.headers.get('api-version')
  if (version === null) return
  if (!semver.test(version)) {
    const first = version[0]
    const reason =
      first === undefined
        ? 'empty string, expected a semver version'
        : `unexpected character '${/[^0-9.]/.exec(version)?.[0] ?? first}' while parsing version number`
    throw fail.badRequest(`bad value for header "api-version": ${reason}: ${version}`)
  }
  if (newer(version, API_VERSION)) {
    throw fail.badRequest(`server does not support this API version: ${version}`)
  }
}

function checkPathEncoding(request: Request): void {
  const { pathname } = new URL(request.url)
  if (!pathname.includes('%')) return
  try {
    decodeURIComponent(pathname)
  } catch {
    throw fail.badRequest('invalid path encoding')
  }
}

/**
 * What is checked of every request, even one that leads nowhere.
 * @throws ApiError 400
 */
export function checkRequest(request: Request): void {
  checkApiVersion(request)
  checkPathEncoding(request)
}

/** Types that are known, if perhaps not where they come. */
const knownTypes = new Set([
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
])

function checkContentType(request: Request, wanted: string): void {
  const header = request.headers.get('content-type')
  if (header === null) return
  const type = header.split(';')[0]!.trim().toLowerCase()
  if (type === wanted || type === '') return
  throw fail.badRequest(
    knownTypes.has(type)
      ? `expected content type "${wanted}", got "${type}"`
      : `unsupported content-type: ${type}`,
  )
}

/**
 * The bytes of a body.
 * @param max so many at most
 * @throws ApiError 400 for more
 */
async function readBytes(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  // The rest of the body is not read, so the connection is of no more use.
  const tooLarge = () =>
    new ApiError(fail.badRequest(`request body exceeded maximum size of ${max} bytes`).template, {
      connection: 'close',
    })
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > max) throw tooLarge()
    return new Uint8Array(await request.arrayBuffer())
  }
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > max) throw tooLarge()
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer())
}

/**
 * The text of a JSON body.
 * @param max bytes
 * @throws ApiError 400 for a body of another type, or a larger one
 * @throws ParseError for one that is no text
 */
export async function readBody(request: Request, max = BODY_MAX): Promise<string> {
  checkContentType(request, 'application/json')
  return bodyText(await readBytes(request, max))
}

/**
 * A body of bytes, as they are.
 * @throws ApiError 400 for a body of another type, or a larger one
 */
export async function readRawBody(
  request: Request,
  max = BODY_MAX,
): Promise<Uint8Array<ArrayBuffer>> {
  checkContentType(request, 'application/octet-stream')
  return readBytes(request, max)
}

/**
 * A WebSocket route called without a proper upgrade. Hosts take proper ones elsewhere, so what
 * comes here is refused, with the first thing that is wrong about it.
 */
export function refusePlainCall({ headers }: Request): void {
  const has = (name: string, word: string) =>
    headers.get(name)?.toLowerCase().split(/,\s*/).includes(word) ?? false
  if (!has('connection', 'upgrade')) throw fail.badRequest('expected connection upgrade')
  if (!has('upgrade', 'websocket')) throw fail.badRequest('unexpected protocol for upgrade')
  if (headers.get('sec-websocket-version') !== '13') {
    throw fail.badRequest('missing or invalid websocket version')
  }
  if (!headers.get('sec-websocket-key')) throw fail.badRequest('missing websocket key')
}

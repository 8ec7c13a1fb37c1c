import {
  type ApiVersion,
  apiVersionNumber,
  bodyText,
  isOptional,
  type Operation,
  parseBody,
  parseForm,
  publishedVersions,
} from '@steading/api'
import {
  API_VERSION,
  BODY_MAX,
  CHANGE_REASON_HEADER,
  changeReasonProblem,
  SCIM_TYPE,
  textProblem,
} from '@steading/api/rules'
import { concatUint8Arrays } from 'uint8array-extras'
import { ApiError, fail } from '../kernel/errors.ts'
import type { Settings } from '../kernel/settings.ts'
import { untilCutOff } from './body.ts'
import { checkOrigin } from './origin.ts'

const semver = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

const numbers = (version: string): number[] => version.split(/[.+-]/).slice(0, 3).map(Number)

function newer(version: string, than: string): boolean {
  const [a, b] = [numbers(version), numbers(than)]
  for (const [index, part] of a.entries()) if (part !== b[index]) return part > b[index]!
  return false
}

const servedVersions = publishedVersions.map((published) => `${published}.0.0`).join(', ')

/**
 * The version of the API that a client speaks; undefined if it does not say.
 * @throws ApiError 400 for an invalid version, or one that this server does not serve
 */
export function apiVersionOf(request: Request): ApiVersion | undefined {
  const version = request.headers.get('api-version')
  if (version === null) return undefined
  if (!semver.test(version)) {
    const first = version[0]
    const reason =
      first === undefined
        ? 'empty string, expected a semver version'
        : `unexpected character '${/[^0-9.]/.exec(version)?.[0] ?? first}' while parsing version number`
    throw fail.badRequest(`bad value for header "api-version": ${reason}: ${version}`)
  }
  // No version was published with build metadata.
  if (newer(version, API_VERSION) || version.includes('+')) {
    throw fail.badRequest(`server does not support this API version: ${version}`)
  }
  if (newer(`${publishedVersions[0]!}.0.0`, version)) {
    throw fail.badRequest(
      `server does not support this API version: ${version}; it serves ${servedVersions}`,
    )
  }
  return apiVersionNumber(version)
}

function checkPathEncoding(request: Request): void {
  if (!request.url.includes('%')) return
  const { pathname } = new URL(request.url)
  try {
    decodeURIComponent(pathname)
  } catch {
    throw fail.badRequest('invalid path encoding')
  }
}

/**
 * The checks of every request, even of one without a route.
 * @throws ApiError 400, or 403 for a request from a page of another site
 */
export function checkRequest(request: Request, { log }: Pick<Settings, 'log'>): void {
  apiVersionOf(request)
  checkPathEncoding(request)
  checkOrigin(request, log)
}

/**
 * The reason of a change that its caller states; undefined without one.
 * @throws ApiError 400
 */
export function changeReasonOf(request: Request): string | undefined {
  const header = request.headers.get(CHANGE_REASON_HEADER)
  if (header === null) return undefined
  const refuse = (problem: string) =>
    fail.badRequest(`bad value for header "${CHANGE_REASON_HEADER}": ${problem}`)
  let reason: string
  try {
    reason = decodeURIComponent(header).trim()
  } catch {
    throw refuse('not percent-encoded UTF-8')
  }
  const problem = textProblem(reason) ?? changeReasonProblem(reason)
  if (problem !== undefined) throw refuse(problem)
  return reason || undefined
}

/**
 * The query of a call, under the newest names of its parameters.
 * @param version of the client, which decides which older names are accepted; all of them if it is
 *   undefined
 */
export function queryOf(
  request: Request,
  { formerQuery = {} }: Operation,
  version: ApiVersion = 0,
): URLSearchParams {
  const [, query] = /\?([^#]*)/.exec(request.url) ?? []
  const searchParams = new URLSearchParams(query)
  for (const [former, { name, until }] of Object.entries(formerQuery)) {
    const value = searchParams.get(former)
    if (value === null || version >= until || searchParams.has(name)) continue
    searchParams.set(name, value)
  }
  return searchParams
}

/** Content types that some operation accepts; all others are refused as unknown. */
const knownTypes = new Set([
  'application/json',
  'application/scim+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/octet-stream',
])

/**
 * @throws ApiError 400 for a body of another type; a body without a type is taken for the wanted
 *   one
 */
function checkContentType(request: Request, wanted: string): void {
  const header = request.headers.get('content-type')
  if (header === null) return
  const type = header.split(';')[0]!.trim().toLowerCase()
  if (type === wanted || type === '') return
  if (type === 'application/json' && wanted.endsWith('+json')) return
  throw fail.badRequest(
    knownTypes.has(type)
      ? `expected content type "${wanted}", got "${type}"`
      : `unsupported content-type: ${type}`,
  )
}

/** Limits for reading a body: its size, and the error for a larger one. */
interface Bound {
  max: number
  tooLarge: () => ApiError
}

/** The rest of a body that is too large is not read, so the connection cannot be used again. */
const boundOf = ({ maxBody: max = BODY_MAX, bodyType }: Operation): Bound => ({
  max,
  tooLarge: () =>
    new ApiError(fail.bodyTooLarge(max, bodyType === SCIM_TYPE ? 413 : 400).template, {
      connection: 'close',
    }),
})

/**
 * The bytes of a body, all at once.
 * @throws ApiError for a body over the limit
 */
async function readBytes(
  request: Request,
  { max, tooLarge }: Bound,
): Promise<Uint8Array<ArrayBuffer>> {
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
  return concatUint8Arrays(chunks)
}

/** The bytes of a body as they arrive. A body over the limit ends the stream with the ApiError. */
function streamBytes(request: Request, { max, tooLarge }: Bound): ReadableStream<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge()
  let size = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length
      if (size > max) controller.error(tooLarge())
      else controller.enqueue(chunk)
    },
  })
  return (request.body ?? new Blob().stream()).pipeThrough(bounded)
}

/**
 * The body of an operation, parsed and validated; undefined if it takes none.
 * @param version of the client; undefined if it does not say
 * @throws ApiError 400 for a body of another type, or one that is too large
 * @throws ParseError for a body that does not match its schema
 */
export async function readBody(
  request: Request,
  operation: Operation,
  version: ApiVersion | undefined,
): Promise<unknown> {
  const { body, bodyType = 'application/json' } = operation
  if (!body) return undefined
  if (!operation.anyContentType) checkContentType(request, bodyType)
  if (operation.streamed) return streamBytes(request, boundOf(operation))
  const bytes = await untilCutOff(readBytes(request, boundOf(operation)))
  switch (bodyType) {
    case 'application/octet-stream':
      return bytes
    case 'application/x-www-form-urlencoded':
      return parseForm(body, new TextDecoder().decode(bytes))
    case 'application/json':
    case 'application/scim+json': {
      if (bytes.length === 0 && isOptional(body)) return undefined
      const text = bodyText(bytes)
      return operation.quickBody?.(text) ?? parseBody(body, text, version)
    }
  }
}

/**
 * The error for a plain request to a WebSocket route: it names the first missing part of an
 * upgrade. Hosts pass valid upgrades to the socket opener, so every request that arrives here is
 * refused.
 */
export function refusePlainCall({ headers }: Request): ApiError {
  const has = (name: string, word: string) =>
    headers.get(name)?.toLowerCase().split(/,\s*/).includes(word) ?? false
  if (!has('connection', 'upgrade')) return fail.badRequest('expected connection upgrade')
  if (!has('upgrade', 'websocket')) return fail.badRequest('unexpected protocol for upgrade')
  if (headers.get('sec-websocket-version') !== '13') {
    return fail.badRequest('missing or invalid websocket version')
  }
  if (!headers.get('sec-websocket-key')) return fail.badRequest('missing websocket key')
  return fail.badRequest('expected connection upgrade')
}

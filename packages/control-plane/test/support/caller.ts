/**
 * Calls the API and validates every answer against the contract. Servers of this process are called
 * without HTTP, unless the transport is the point of a test (`overHttp`).
 */
import {
  type BodyType,
  type Operation,
  type OperationId,
  operationTable,
  type Wire,
} from '@steading/api'
import { SCIM_TYPE, scimSchemas, scimTypes } from '@steading/api/rules'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

type Shapes = Wire.Operations

export interface CallArgs<Op extends OperationId> {
  params?: Shapes[Op]['params']
  query?: Partial<Shapes[Op]['query']>
  body?: Shapes[Op]['body'] | object
}

export interface Answer {
  status: number
  headers: Headers
  /** Parsed if it is JSON. */
  body: unknown
}

export interface Refusal {
  status: number
  error_code?: string
  message: string
}

export interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
}

const segmentsOf = (path: string) => path.split('/').length
const operations = Map.groupBy(
  Object.values(operationTable as Record<string, Operation>).map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
  ({ operation: { method, path } }) => `${method} ${segmentsOf(path)}`,
)
function operationOf(method: string, location: string): Operation | undefined {
  const path = location.split('?')[0]!
  const alike = operations.get(`${method} ${segmentsOf(path)}`)
  return alike?.find(({ pattern }) => pattern.test(path))?.operation
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads a response to its end. */
export const answerOf = async (response: Response): Promise<Answer> =>
  answerWith(response.status, response.headers, await response.text())

function answerWith(status: number, headers: Headers, text: string): Answer {
  const isJson = /^application\/(scim\+)?json/.test(headers.get('content-type') ?? '')
  return { status, headers, body: isJson && text ? JSON.parse(text) : text || undefined }
}

type Fetch = (request: Request, info: { clientAddress: string }) => Promise<Response>

/** Address of a server of this process → its control plane. */
const ownServers = new Map<string, Fetch>()

/** Lets callers reach a server without HTTP, which takes six times as much processor time. */
export function callInProcess(url: string, fetch: Fetch): void {
  ownServers.set(url, fetch)
}

/** Sends all calls to a server over HTTP, because its host or its clients are the point of a test. */
export const overHttp = ({ url }: { url: string }): void => void ownServers.delete(url)

const agent = new Agent({ keepAlive: true })
/** As sent by `fetch`, but without compression. */
const usual = { accept: '*/*', 'accept-language': '*', 'user-agent': 'node' }

/**
 * An answer as a whole. Tests make a hundred thousand calls, which take `fetch` three times as much
 * processor time.
 */
async function exchange(
  server: string,
  path: string,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  const url = server + path
  const ownServer = ownServers.get(server)
  // Only HTTP can send a read with a body.
  const isPlain = body === undefined || !['GET', 'HEAD'].includes(method)
  if (ownServer && isPlain) {
    const sent = { ...usual, host: new URL(server).host, ...headers }
    const request = new Request(url, { method, headers: sent, body })
    return answerOf(await ownServer(request, { clientAddress: '127.0.0.1' }))
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  request(url, { method, agent, headers: { ...usual, ...length, ...headers } })
    .once('response', resolve)
    .once('error', reject)
    .end(body)
  const response = await promise
  const received = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values!) received.append(name, value)
  }
  return answerWith(response.statusCode!, received, await textOf(response))
}

/** RFC 7644, section 3.12. */
function validateScimError({ status, headers, body }: Answer): void {
  expect(headers.get('content-type')).toBe(SCIM_TYPE)
  const { schemas, status: said, detail, scimType, ...rest } = body as Record<string, unknown>
  expect(schemas).toEqual([scimSchemas.error])
  expect(said).toBe(String(status))
  expect(detail).toBeTypeOf('string')
  if (scimType !== undefined) expect(scimTypes).toContain(scimType)
  // Any other 400 has an error type.
  if (status === 400) expect(scimType).toBeDefined()
  expect(rest).toEqual({})
  expect(headers.has('www-authenticate')).toBe(status === 401)
}

/** Every answer has a request id; errors repeat it, and successes match the contract. */
export function validate(method: string, path: string, { status, headers, body }: Answer): void {
  const requestId = headers.get('x-request-id') ?? ''
  // An expectation takes longer than a call.
  if (!uuid.test(requestId)) {
    expect(requestId, `${method} ${path} was answered with ${status}: ${String(body)}`).toMatch(
      uuid,
    )
  }
  // It has no body, whether it succeeded or not.
  if (method === 'HEAD') return
  const operation = operationOf(method, path)
  // Its errors have their own format.
  if (status >= 400 && operation?.success.freeForm && !('message' in (body as object))) return
  if (status >= 400 && /^\/scim\/v2(\/|\?|$)/.test(path)) {
    return validateScimError({ status, headers, body })
  }
  const type = headers.get('content-type')
  if (status >= 400) {
    const { request_id, message, error_code, ...rest } = body as Record<string, unknown>
    const found = [type, request_id, typeof message, typeof (error_code ?? ''), rest]
    const wanted = ['application/json', requestId, 'string', 'string', {}]
    if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted)
    return
  }
  if (!operation) return
  const { success } = operation
  if (status !== success.status) expect(status).toBe(success.status)
  if (!success.schema) {
    if (body !== undefined) expect(body).toBeUndefined()
  } else if (!success.contentType) {
    if (type !== 'application/json') expect(type).toBe('application/json')
    // The schema of the document is any object.
    if (operation === operationTable.openapi_view) return
    // Nothing missing, nothing wrong, and nothing unknown to the contract.
    const known = success.schema.parse(body)
    if (!isDeepStrictEqual(known, body)) expect(known).toEqual(body)
  }
}

/** Path and query of a call. */
export function locationOf(id: OperationId, { params, query }: CallArgs<OperationId>): string {
  const path = operationTable[id].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name]!),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(key, String(value))
  }
  return search.size > 0 ? `${path}?${search}` : path
}

/** How an operation takes its body. */
export const bodyTypeOf = (operation: Operation | undefined): BodyType =>
  operation?.bodyType ?? 'application/json'

export const encoded = (type: BodyType, body: object): string =>
  type === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body)

/** A client: signed in with a cookie, with an access token, or not. */
export class Caller {
  readonly cookie: string | undefined
  readonly token: string | undefined
  readonly #urls: readonly string[]
  #calls = 0

  /** @param urls equal servers that take the calls in turn, as behind a load balancer */
  constructor(urls: string | readonly string[], cookie?: string, token?: string) {
    this.#urls = [urls].flat()
    this.cookie = cookie
    this.token = token
  }

  /** The same client with an access token instead of its cookie. */
  withToken(token: string): Caller {
    return new Caller(this.#urls, undefined, token)
  }

  /** The headers with the caller's credentials. */
  get credentials(): Record<string, string> {
    return {
      ...(this.cookie && { cookie: this.cookie }),
      ...(this.token && { authorization: `Bearer ${this.token}` }),
    }
  }

  /** The server for the next call. */
  get url(): string {
    return this.#urls[this.#calls++ % this.#urls.length]!
  }

  /** The raw answer; nothing is checked. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(this.credentials)) headers.set(name, value)
    return fetch(this.url + path, { redirect: 'manual', ...init, headers })
  }

  /** @param body text is sent as it is, anything else as JSON */
  async send(method: string, path: string, { body, headers }: SendOptions = {}): Promise<Answer> {
    const type = bodyTypeOf(operationOf(method, path))
    const text =
      body === undefined || typeof body === 'string' ? body : encoded(type, body as object)
    const sent = {
      ...(text === undefined ? {} : { 'content-type': type }),
      ...headers,
      ...this.credentials,
    }
    const answer = await exchange(this.url, path, method, sent, text)
    validate(method, path, answer)
    return answer
  }

  /** The result of a call that is expected to succeed. */
  async call<Op extends OperationId>(
    id: Op,
    args: CallArgs<Op> = {},
  ): Promise<Shapes[Op]['result']> {
    const answer = await this.send(operationTable[id].method, locationOf(id, args), args)
    const { status, body } = answer
    if (status !== operationTable[id].success.status) {
      throw new Error(`${id} was answered with ${status}: ${JSON.stringify(body)}`)
    }
    return body as Shapes[Op]['result']
  }

  /** The error of a call that is expected to fail, without its request id. */
  async refusal<Op extends OperationId>(id: Op, args: CallArgs<Op> = {}): Promise<Refusal> {
    return this.refused(operationTable[id].method, locationOf(id, args), args)
  }

  async refused(method: string, path: string, options: SendOptions = {}): Promise<Refusal> {
    const { status, body } = await this.send(method, path, options)
    if (status < 400) throw new Error(`${method} ${path} was not refused, but answered ${status}`)
    const { request_id: _, ...rest } = body as { request_id: string; message: string }
    return { status, ...rest }
  }
}

/**
 * Typed client of the API. Free of zod: the types are generated, and the mapping between the two
 * spellings is generic.
 */
import type { Operations } from '../generated/client.ts'
import { reads } from '../generated/reads.ts'
import { API_VERSION, CHANGE_REASON_HEADER, SESSION_COOKIE } from '../rules/limits.ts'
import { parseResponse } from './mapping.ts'
import { type AnyArgs, fillRoute } from './fill-route.ts'
import type { ApiResult } from './result.ts'

export type * from '../generated/client.ts'
export { camel, toQuery, toWire } from './mapping.ts'
export type { ApiErrorBody, ApiResult } from './result.ts'

export interface ClientOptions {
  /** Origin of the control plane; empty for the page's own. */
  baseUrl?: string
  /** Sent as a bearer token. */
  token?: string
  /** Value of the session cookie, for clients other than browsers, which send it themselves. */
  session?: string
  fetch?: typeof fetch
  /**
   * Caches the latest answers to reads and returns them again when the control plane answers "not
   * modified". Callers must not mutate the answers then.
   */
  remembers?: boolean
}

/** Maximum number of cached answers per client. */
const MAX_REMEMBERED = 40

export type MethodName = keyof Operations
export type Args<M extends MethodName> = Operations[M]['args']
export type Result<M extends MethodName> = Operations[M]['result']

export interface CallOptions {
  signal?: AbortSignal
  /**
   * Entity tag of the resource being changed (`entityTagOf`); the call is refused if it is stale.
   */
  ifMatch?: string
  /** Reason of a change, for its version. */
  reason?: string
}

/** Value of `CHANGE_REASON_HEADER`. */
export const changeReasonValue = (reason: string): string =>
  encodeURIComponent(reason.toWellFormed())

type Call<M extends MethodName> = Operations[M]['needsArgs'] extends true
  ? (args: Args<M>, options?: CallOptions) => Promise<ApiResult<Result<M>>>
  : (args?: Args<M>, options?: CallOptions) => Promise<ApiResult<Result<M>>>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const entityTags = new WeakMap<object, string>()

/** Entity tag of an answer. Takes the very object that the call returned. */
export const entityTagOf = (answer: object): string | undefined => entityTags.get(answer)

/** Copies the entity tag of an answer, if it has one, to another object with the same content. */
export function keepEntityTag<T>(answer: unknown, like: T): T {
  const tag = isObject(answer) ? entityTags.get(answer) : undefined
  if (tag !== undefined && isObject(like)) entityTags.set(like, tag)
  return like
}

export type ApiClient = { [M in MethodName]: Call<M> }

/** Whether an operation only reads. */
export const isRead = (method: MethodName): method is MethodName & keyof typeof reads =>
  method in reads

/** Undefined until the first change. */
let routes: Record<string, string> | undefined

/** The operations that change something come with a file of their own: many pages only read. */
async function changeRoute(method: MethodName): Promise<string> {
  routes ??= (await import('./wire-request.ts')).routes
  return routes[method]!
}

/** A client with one method per operation. No timeouts, no retries. */
export function createClient(options: ClientOptions = {}): ApiClient {
  /** Path → latest answer and its entity tag, in least recently used order. */
  const remembered = new Map<string, { tag: string; result: ApiResult<unknown> }>()
  const remember = (path: string, response: Response, result: ApiResult<unknown>) => {
    remembered.delete(path)
    const tag = response.headers.get('etag')
    if (tag && result.type === 'success') remembered.set(path, { tag, result })
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!)
  }
  const call = async (
    method: MethodName,
    args: AnyArgs = {},
    { signal, ifMatch, reason }: CallOptions = {},
  ): Promise<ApiResult<unknown>> => {
    const route = isRead(method)
      ? `GET ${reads[method]}`
      : (routes?.[method] ?? (await changeRoute(method)))
    const { verb, path, body } = fillRoute(route, args)
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'api-version': API_VERSION,
    }
    if (options.token) headers.authorization = `Bearer ${options.token}`
    if (options.session) headers.cookie = `${SESSION_COOKIE}=${options.session}`
    const isRemembered = options.remembers && verb === 'GET'
    const before = isRemembered ? remembered.get(path) : undefined
    if (before) headers['if-none-match'] = before.tag
    if (ifMatch) headers['if-match'] = ifMatch
    if (reason) headers[CHANGE_REASON_HEADER] = changeReasonValue(reason)
    const send = options.fetch ?? fetch
    const response = await send(`${options.baseUrl ?? ''}${path}`, {
      method: verb,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    })
    if (before && response.status === 304) {
      remember(path, response, before.result)
      return before.result
    }
    const result = await parseResponse(response)
    const tag = response.headers.get('etag')
    if (tag && result.type === 'success' && isObject(result.data)) entityTags.set(result.data, tag)
    if (isRemembered) remember(path, response, result)
    return result
  }
  const methods = (_: object, method: string | symbol) =>
    // A promise that resolves to the client asks it for `then`.
    typeof method === 'string' && method !== 'then'
      ? (args?: AnyArgs, callOptions?: CallOptions) => call(method as MethodName, args, callOptions)
      : undefined
  // Methods are resolved on call, because the changes are loaded by the first of them.
  return new Proxy({}, { get: methods }) as ApiClient
}

/**
 * Typed client of the API. Knows nothing of zod: types are generated, and mapping between the two
 * spellings is generic.
 */
import type { Operations } from '../generated/client.ts'
import { routes } from '../generated/routes.ts'
import { API_VERSION, SESSION_COOKIE } from '../rules/limits.ts'
import { parseResponse, toQuery, toWire } from './mapping.ts'
import type { ApiResult } from './result.ts'

export type * from '../generated/client.ts'
export { camel, toQuery, toWire } from './mapping.ts'
export type { ApiErrorBody, ApiResult } from './result.ts'

export interface ClientOptions {
  /** Origin of the control plane; empty for the page's own. */
  baseUrl?: string
  /** Sent as a bearer token. */
  token?: string
  /** The value of the session's cookie, outside of browsers: they send it by themselves. */
  session?: string
  fetch?: typeof fetch
  /**
   * Keeps the newest answers to reads in memory, and gives them out again when the control plane
   * says that nothing has changed. The caller must not change answers then.
   */
  remembers?: boolean
}

/** Answers to reads that a client keeps. */
const MAX_REMEMBERED = 40

export type MethodName = keyof Operations
export type Args<M extends MethodName> = Operations[M]['args']
export type Result<M extends MethodName> = Operations[M]['result']

export interface CallOptions {
  signal?: AbortSignal
  /** The entity tag of what is changed (`entityTagOf`): refused if it is not that any more. */
  ifMatch?: string
}

type Call<M extends MethodName> = Operations[M]['needsArgs'] extends true
  ? (args: Args<M>, options?: CallOptions) => Promise<ApiResult<Result<M>>>
  : (args?: Args<M>, options?: CallOptions) => Promise<ApiResult<Result<M>>>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const entityTags = new WeakMap<object, string>()

/** The entity tag of an answer, the very object that a call has returned. */
export const entityTagOf = (answer: object): string | undefined => entityTags.get(answer)

/** Gives an object with the content of an answer the entity tag of that answer, if it has one. */
export function keepEntityTag<T>(answer: unknown, like: T): T {
  const tag = isObject(answer) ? entityTags.get(answer) : undefined
  if (tag !== undefined && isObject(like)) entityTags.set(like, tag)
  return like
}

export type ApiClient = { [M in MethodName]: Call<M> }

interface AnyArgs {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
}

/** `/v1/projects/{project}` with its parameters filled in; names are camelCase on our side. */
function fillPath(template: string, values: AnyArgs['path'] = {}): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const key = name.replace(/_([a-z0-9])/g, (_m, letter: string) => letter.toUpperCase())
    return encodeURIComponent(String(values[key] ?? '').toWellFormed())
  })
}

/** What a call is on the wire: its method, its path with the query, and its body, spelled as there. */
export function wireRequest<M extends MethodName>(
  method: M,
  args: Args<M>,
): { verb: string; path: string; body?: unknown } {
  const { path, query, body }: AnyArgs = args
  const [verb, template] = routes[method].split(' ') as [string, string]
  return {
    verb,
    path: `${fillPath(template, path)}${toQuery(query)}`,
    ...(body === undefined ? {} : { body: toWire(body) }),
  }
}

/** A client with one method per operation. No timeouts, no retries. */
export function createClient(options: ClientOptions = {}): ApiClient {
  /** Path → its newest answer with its tag, the least recently used one first. */
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
    { signal, ifMatch }: CallOptions = {},
  ): Promise<ApiResult<unknown>> => {
    const { verb, path, body } = wireRequest(method, args)
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'api-version': API_VERSION,
    }
    if (options.token) headers.authorization = `Bearer ${options.token}`
    if (options.session) headers.cookie = `${SESSION_COOKIE}=${options.session}`
    const isRead = options.remembers && verb === 'GET'
    const before = isRead ? remembered.get(path) : undefined
    if (before) headers['if-none-match'] = before.tag
    if (ifMatch) headers['if-match'] = ifMatch
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
    if (isRead) remember(path, response, result)
    return result
  }
  const methods = (_: object, method: string) =>
    method in routes
      ? (args?: AnyArgs, callOptions?: CallOptions) => call(method as MethodName, args, callOptions)
      : undefined
  // Looked up when a method is called: the console's routes come with the areas that use them.
  return new Proxy({}, { get: methods }) as ApiClient
}

/**
 * Typed client of the API. Knows nothing of zod: types are generated, and mapping between the two
 * spellings is generic.
 */
import { type Operations, routes } from '../generated/client.ts'
import { API_VERSION } from '../rules/limits.ts'
import { parseResponse, toQuery, toWire } from './mapping.ts'

export type * from '../generated/client.ts'
export { toQuery } from './mapping.ts'

export interface ApiErrorBody {
  message?: string
  errorCode?: string
  requestId?: string
}

/** What came of a call. `client_error`: the answer could not be read as JSON. */
export type ApiResult<T> =
  | { type: 'success'; status: number; headers: Headers; data: T }
  | { type: 'error'; status: number; headers: Headers; data: ApiErrorBody }
  | { type: 'client_error'; status: number; headers: Headers; text: string; error: Error }

export interface ClientOptions {
  /** Origin of the control plane; empty for the page's own. */
  baseUrl?: string
  /** Sent as a bearer token. */
  token?: string
  fetch?: typeof fetch
}

export type MethodName = keyof typeof routes
export type Args<M extends MethodName> = Operations[M]['args']
export type Result<M extends MethodName> = Operations[M]['result']

type Call<M extends MethodName> = Operations[M]['needsArgs'] extends true
  ? (args: Args<M>, options?: { signal?: AbortSignal }) => Promise<ApiResult<Result<M>>>
  : (args?: Args<M>, options?: { signal?: AbortSignal }) => Promise<ApiResult<Result<M>>>

export type ApiClient = { [M in MethodName]: Call<M> }

interface AnyArgs {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** `/v1/projects/{project}` with its parameters filled in; names are camelCase on our side. */
function fillPath(template: string, values: Record<string, string> = {}): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const key = name.replace(/_([a-z0-9])/g, (_m, letter: string) => letter.toUpperCase())
    return encodeURIComponent(values[key] ?? '')
  })
}

/** A client with one method per operation. No timeouts, no retries. */
export function createClient(options: ClientOptions = {}): ApiClient {
  const call = async (
    method: MethodName,
    args: AnyArgs = {},
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ApiResult<unknown>> => {
    const [verb, template] = routes[method].split(' ') as [string, string]
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'api-version': API_VERSION,
    }
    if (options.token) headers.authorization = `Bearer ${options.token}`
    const url = `${options.baseUrl ?? ''}${fillPath(template, args.path)}${toQuery(args.query)}`
    const send = options.fetch ?? fetch
    const response = await send(url, {
      method: verb,
      headers,
      body: args.body === undefined ? undefined : JSON.stringify(toWire(args.body)),
      signal,
    })
    return parseResponse(response)
  }
  return Object.fromEntries(
    (Object.keys(routes) as MethodName[]).map((method) => [
      method,
      (args?: AnyArgs, callOptions?: { signal?: AbortSignal }) => call(method, args, callOptions),
    ]),
  ) as unknown as ApiClient
}

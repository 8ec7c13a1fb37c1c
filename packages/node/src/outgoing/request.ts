/**
 * Requests to the servers that users name. A user-supplied address must not open a way into the
 * server's networks: each host name is resolved once, only public addresses and addresses in allowed
 * networks pass, and the connection uses the checked addresses.
 */
import { type IncomingMessage, request as requestPlainly, type RequestOptions } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { installedVersion } from '../installation.ts'
import { type Reach, type Target, targetOf } from './addresses.ts'
import {
  authorizationOf,
  connectThrough,
  credentialsIn,
  PROXY_CREDENTIALS_NEEDED,
  ProxyError,
} from './proxy.ts'

/**
 * Milliseconds after which the next address of a host is tried; Node's default of 250 is too short
 * for connections around the world.
 */
const ATTEMPT_MS = 2_000

/** How this program names itself; some servers refuse requests without a name. */
export const USER_AGENT = `Steading/${installedVersion()}`

export interface Sending {
  method?: 'GET' | 'POST' | 'PUT'
  /** In sending order; a name may occur several times. */
  headers: readonly (readonly [name: string, value: string])[]
  body?: string
  signal: AbortSignal
}

/** Gives the checked addresses to a connection, which tries one after the other. */
const lookupIn = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, asked, found) =>
    asked.all ? found(null, all) : found(null, all[0]!.address, all[0]!.family)
}

/** A URL without its credentials and its fragment. */
function bare(url: URL): URL {
  const copy = new URL(url)
  copy.username = copy.password = copy.hash = ''
  return copy
}

/** The way of a request: to an address of its host, or through a proxy. */
async function wayTo(
  url: URL,
  { addresses, proxy }: Target,
  signal: AbortSignal,
): Promise<{ to: URL; options: RequestOptions; headers?: Record<string, string> }> {
  if (!proxy) {
    const options = {
      // Connections are never reused, so these addresses always apply.
      agent: false as const,
      lookup: lookupIn(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    }
    return { to: url, options }
  }
  if (url.protocol === 'http:') {
    // The credentials of the host go to the host, and those of the proxy to the proxy alone.
    return {
      to: bare(proxy),
      options: { agent: false, path: bare(url).href, auth: credentialsIn(url) },
      headers: { host: url.host, ...authorizationOf(proxy) },
    }
  }
  const socket = await connectThrough(proxy, url, signal)
  // Node calls this only without an agent.
  return { to: url, options: { createConnection: () => socket } }
}

/** Fails when a signal aborts, even if the work goes on: name resolution cannot be aborted. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
  return Promise.race([work, aborted])
}

/**
 * Sends one request to a checked target. Redirects are not followed.
 * @throws ProxyError, or the error of the system
 */
export async function sendTo(
  url: URL,
  target: Target,
  { method = 'GET', headers, body, signal }: Sending,
): Promise<IncomingMessage> {
  const { to, options, headers: ownHeaders } = await wayTo(url, target, signal)
  /** Whether the proxy answers, which passes on the answer of the host. */
  const isProxied = to !== url
  const request = to.protocol === 'https:' ? requestSecurely : requestPlainly
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
  const values: Record<string, string | string[]> = { 'user-agent': USER_AGENT, ...ownHeaders }
  for (const [name, value] of headers) {
    const before = name === 'user-agent' ? undefined : values[name]
    values[name] = before === undefined ? value : [before, value].flat()
  }
  const all = { method, headers: values, signal, ...options }
  // Errors after the response belong to the connection whose response is read.
  request(to, all, answer)
    .on('error', (cause) =>
      reject(isProxied && !signal.aborted ? new ProxyError({ cause }) : cause),
    )
    .end(body)
  const response = await promise
  if (isProxied && response.statusCode === PROXY_CREDENTIALS_NEEDED) {
    response.on('error', () => {}).destroy()
    throw new ProxyError({ status: PROXY_CREDENTIALS_NEEDED })
  }
  return response
}

/** The reason why a request to an address is not sent. */
export type Refusal = 'not_url' | 'scheme' | 'closed' | 'redirects'

/** A request is not sent to an address, which a user or a redirect has given. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(`refused: ${refusal}`)
    this.refusal = refusal
  }
}

export interface Fetching extends Pick<Sending, 'headers' | 'signal'> {
  reach: Reach
  /** Redirects to follow. */
  redirects: number
  /** Called with each address before it is checked; errors are about the last one. */
  at?: (url: URL) => void
  /** Throws if an address, checked or given by a redirect of another one, must not be used. */
  permit: (url: URL, target: Target, from: URL | undefined) => void
}

/**
 * Sends a GET and follows redirects. Each of their addresses is checked like the first.
 * @throws RefusedRequest, what `permit` throws, or the error of the system
 */
export async function fetchFrom(
  address: string,
  fetching: Fetching,
  from?: URL,
): Promise<{ url: URL; response: IncomingMessage }> {
  if (!URL.canParse(address, from)) throw new RefusedRequest('not_url')
  const url = new URL(address, from)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new RefusedRequest('scheme')
  const { reach, redirects, permit } = fetching
  fetching.at?.(url)
  const target = await targetOf(url, reach)
  if (!target) throw new RefusedRequest('closed')
  permit(url, target, from)
  const response = await sendTo(url, target, fetching)
  const { statusCode: status = 0, headers } = response
  if (![301, 302, 303, 307, 308].includes(status) || !headers.location) return { url, response }
  response.on('error', () => {}).destroy()
  if (redirects === 0) throw new RefusedRequest('redirects')
  return fetchFrom(headers.location, { ...fetching, redirects: redirects - 1 }, url)
}

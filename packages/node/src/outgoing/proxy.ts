/** The proxy through which requests leave the server's network. */
import { request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { BlockList, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'

/** Chooses the proxy of a request. */
export interface OutgoingProxy {
  /** Undefined for hosts that are reached without one. */
  proxyFor: (url: URL) => URL | undefined
}

/** The proxy refuses a request by a status, or cannot be reached for a cause. */
export class ProxyError extends Error {
  readonly status: number | undefined

  constructor({ status, cause }: { status?: number; cause?: unknown }) {
    super('the proxy cannot be used', { cause })
    this.status = status
  }
}

/** The status by which a proxy asks for credentials. */
export const PROXY_CREDENTIALS_NEEDED = 407

const portOf = ({ protocol, port }: URL): string => port || (protocol === 'https:' ? '443' : '80')
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

/** Whether a URL is reached without a proxy. */
export type Exception = (url: URL) => boolean

/**
 * An entry of NO_PROXY: a name with the names below it, an address, or a network, each perhaps with
 * a port.
 * @returns undefined for a network that is not valid
 */
function exceptionOf(entry: string): Exception | undefined {
  const [, name = entry, port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? []
  const hasPort = (url: URL) => port === undefined || port === portOf(url)
  if (name === '*') return hasPort
  const [address = '', prefix] = name.replace(/^\[|\]$/g, '').split('/')
  const family = isIP(address)
  if (family === 0) {
    if (prefix !== undefined) return undefined
    const suffix = name.toLowerCase().replace(/^\*?\./, '')
    return (url) => hasPort(url) && (hostOf(url) === suffix || hostOf(url).endsWith(`.${suffix}`))
  }
  const [kind, bits] = family === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const)
  const length = prefix ?? String(bits)
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined
  const network = new BlockList()
  network.addSubnet(address, Number(length), kind)
  return (url) => hasPort(url) && isIP(hostOf(url)) === family && network.check(hostOf(url), kind)
}

/**
 * The exceptions of NO_PROXY.
 * @param refuse throws for an entry that is not valid
 */
export const exceptionsIn = (text: string, refuse: (entry: string) => never): Exception[] =>
  text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => exceptionOf(entry) ?? refuse(entry))

/** @param proxies for https and for http */
export const outgoingProxy = (
  proxies: { https?: URL | undefined; http?: URL | undefined },
  exceptions: readonly Exception[],
): OutgoingProxy => ({
  proxyFor(url) {
    if (exceptions.some((isException) => isException(url))) return undefined
    return url.protocol === 'https:' ? proxies.https : proxies.http
  },
})

/**
 * User and password in a URL, as for Basic authentication; undefined if there are none.
 * @throws URIError if they are not valid
 */
export const credentialsIn = ({ username, password }: URL): string | undefined =>
  username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`

/** The header with the credentials of a proxy. */
export function authorizationOf(proxy: URL): Record<string, string> {
  const credentials = credentialsIn(proxy)
  if (credentials === undefined) return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** A connection to a host through a proxy (RFC 9110, section 9.3.6). */
async function tunnelTo(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const host = `${url.hostname}:${portOf(url)}`
  const request = proxy.protocol === 'https:' ? requestSecurely : requestPlainly
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const headers = { host, ...authorizationOf(proxy) }
  request({
    method: 'CONNECT',
    host: hostOf(proxy),
    port: portOf(proxy),
    path: host,
    headers,
    agent: false,
    signal,
  })
    .on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket as Socket)
      }
      socket.destroy()
      reject(new ProxyError({ status: statusCode }))
    })
    .on('error', (cause) => reject(signal.aborted ? cause : new ProxyError({ cause })))
    .end()
  return promise
}

/**
 * A connection with TLS to the host of a URL, through a proxy.
 * @throws ProxyError, or the error of TLS
 */
export async function connectThrough(
  proxy: URL,
  url: URL,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = await tunnelTo(proxy, url, signal)
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const host = hostOf(url)
  const secure = connectSecurely({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
  })
  const abort = () => secure.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  secure.once('error', reject)
  secure.once('secureConnect', () => {
    secure.off('error', reject)
    signal.removeEventListener('abort', abort)
    resolve(secure)
  })
  return promise
}

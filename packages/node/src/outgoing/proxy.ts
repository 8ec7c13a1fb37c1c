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

/** Whether a host matches an entry of NO_PROXY. */
function isException(entry: string, url: URL): boolean {
  const [, name = entry, port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? []
  if (port !== undefined && port !== portOf(url)) return false
  const host = hostOf(url)
  const [address = '', prefix] = name.replace(/^\[|\]$/g, '').split('/')
  const family = isIP(address)
  if (family !== 0 && isIP(host) === family) {
    const kind = family === 6 ? 'ipv6' : 'ipv4'
    const network = new BlockList()
    network.addSubnet(address, Number(prefix ?? (family === 6 ? 128 : 32)), kind)
    return network.check(host, kind)
  }
  const suffix = name.toLowerCase().replace(/^\*?\./, '')
  return name === '*' || host === suffix || host.endsWith(`.${suffix}`)
}

/** The reason an entry of NO_PROXY cannot be used; undefined if it can. */
export function exceptionProblem(entry: string): string | undefined {
  const [address = '', prefix] = entry.split('/')
  if (prefix === undefined) return undefined
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  const isPrefix = bits !== undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
  return isPrefix ? undefined : `"${entry}" is no network`
}

export const exceptionsIn = (text: string): string[] =>
  text.split(/[\s,]+/).filter((entry) => entry !== '')

/**
 * @param proxies for https and for http
 * @param exceptions entries as in NO_PROXY: names with the names below them, addresses, networks
 */
export const outgoingProxy = (
  proxies: { https?: URL | undefined; http?: URL | undefined },
  exceptions: readonly string[],
): OutgoingProxy => ({
  proxyFor(url) {
    if (exceptions.some((entry) => isException(entry, url))) return undefined
    return url.protocol === 'https:' ? proxies.https : proxies.http
  },
})

/** The header with the credentials of a proxy. */
export function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const given = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(given).toString('base64')}` }
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
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket as Socket)
      }
      socket.destroy()
      reject(new ProxyError({ status: statusCode }))
    })
    .on('response', (response) => {
      response.destroy()
      reject(new ProxyError({ status: response.statusCode ?? 0 }))
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

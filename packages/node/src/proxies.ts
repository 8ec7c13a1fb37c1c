/** Finds the client and the requested address behind reverse proxies. */
import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { LOCAL } from './listening.ts'

/** The client's original request, before any proxy. */
export interface Asked {
  clientAddress: string
  scheme: 'http' | 'https'
  /** Host and port; undefined if they are missing or invalid. */
  host: string | undefined
}

/** Connections through the Unix socket for a proxy. */
const proxied = new WeakSet<Socket>()
/** Trusts the proxy at the other end of a connection, which has no address. */
export const trustConnection = (socket: Socket): void => void proxied.add(socket)

const hostPattern = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i

/** Converts an IPv4-mapped address of an IPv6 socket to IPv4. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Address of an element of `x-forwarded-for`, which may include a port. */
function addressOf(element: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(element)?.[1] ?? element.replace(/^([\d.]+):\d+$/, '$1')
  return isIP(bare) ? plainAddress(bare) : undefined
}

/** Elements, in order, of a header that proxies append to. */
const elements = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((element) => element.trim())
    .filter(Boolean)

const isIn = (networks: BlockList | undefined, address: string): boolean =>
  networks !== undefined &&
  isIP(address) !== 0 &&
  networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether the connection itself, rather than one to a proxy, uses TLS. */
export const isOverTls = ({ socket }: IncomingMessage): boolean => socket instanceof TLSSocket

/**
 * Finds client, scheme and host of a request. Proxy headers count only on connections from a
 * trusted proxy, or through the Unix socket for a proxy. The client is the last address in
 * `x-forwarded-for` that is not a trusted proxy; scheme and host are from the nearest proxy.
 */
export function whatWasAsked(incoming: IncomingMessage, trusted: BlockList | undefined): Asked {
  const { headers, socket } = incoming
  const isProxied = proxied.has(socket)
  const peer = isProxied ? LOCAL : plainAddress(socket.remoteAddress ?? '')
  const ownHost = headers.host
  const ownScheme = isOverTls(incoming) ? 'https' : 'http'
  const valid = (host: string | undefined) =>
    host !== undefined && hostPattern.test(host) ? host : undefined
  if (!isProxied && !isIn(trusted, peer)) {
    return { clientAddress: peer, scheme: ownScheme, host: valid(ownHost) }
  }
  let clientAddress = peer
  for (const element of elements(headers['x-forwarded-for']).toReversed()) {
    const address = addressOf(element)
    if (address === undefined) break
    clientAddress = address
    if (!isIn(trusted, address)) break
  }
  const scheme = elements(headers['x-forwarded-proto']).at(-1)?.toLowerCase()
  return {
    clientAddress,
    scheme: scheme === undefined ? ownScheme : scheme === 'https' ? 'https' : 'http',
    host: valid(elements(headers['x-forwarded-host']).at(-1)) ?? valid(ownHost),
  }
}

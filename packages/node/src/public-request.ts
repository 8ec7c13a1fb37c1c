/**
 * Requests to user-supplied addresses. Such an address must not open a way into the server's
 * networks: each host name is resolved once, only public addresses and addresses in allowed
 * networks pass, and the connection uses the checked address.
 */
import { lookup as resolve } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Special-purpose IPv4 networks, not part of the public internet. */
const special = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address, prefix] = network.split('/')
  special.addSubnet(address!, Number(prefix), 'ipv4')
}
/** Global IPv6 unicast, except networks that lead elsewhere or are reserved. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(address, prefix, 'ipv6')
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an address is on the public internet. */
export function isPublic(address: string): boolean {
  const family = familyOf(address)
  if (special.check(address, family)) return false
  return family === 'ipv4' || global.check(address, family)
}

/** An address to connect to. */
export interface Target {
  address: string
  /** Whether its network is allowed by the operator. */
  allowed: boolean
}

/**
 * The address for a request to a URL; undefined if all addresses of its host are in closed
 * networks.
 * @param networks open to the request besides the public internet
 * @throws the system error for an unknown host
 */
export async function targetOf(
  url: URL,
  networks: BlockList | undefined,
): Promise<Target | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) ? [{ address: host }] : await resolve(host, { all: true })
  return found
    .map(({ address }) => ({
      address,
      allowed: networks?.check(address, familyOf(address)) ?? false,
    }))
    .find(({ address, allowed }) => allowed || isPublic(address))
}

export interface Sending {
  method?: 'GET' | 'POST' | 'PUT'
  /** In sending order; a name may occur several times. */
  headers: readonly (readonly [name: string, value: string])[]
  body?: string
  signal: AbortSignal
}

/** Sends one request to a checked address. Redirects are not followed. */
export function sendTo(
  url: URL,
  { address }: Target,
  { method = 'GET', headers, body, signal }: Sending,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
  const family = isIP(address)
  const lookup: LookupFunction = (_host, asked, found) =>
    asked.all ? found(null, [{ address, family }]) : found(null, address, family)
  const values: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    values[name] = name in values ? [values[name]!, value].flat() : value
  }
  // Connections are never reused, so the lookup above always applies.
  const options = { agent: false as const, method, headers: values, signal, lookup }
  // Errors after the response belong to the connection whose response is read.
  request(url, options, answer).on('error', reject).end(body)
  return promise
}

/** The reason why a request to an address is not sent. */
export type Refusal = 'not_url' | 'scheme' | 'closed' | 'redirects'

/** A request is not sent to an address, which a user or a redirect has given. */
export class RefusedRequest extends Error {
  readonly refusal: Refusal
  /** The address, if it is one. */
  readonly url: URL | undefined

  constructor(refusal: Refusal, url?: URL) {
    super(`refused: ${refusal}`)
    this.refusal = refusal
    this.url = url
  }
}

export interface Fetching extends Pick<Sending, 'headers' | 'signal'> {
  /** Open to the request besides the public internet. */
  networks: BlockList | undefined
  /** Redirects to follow. */
  redirects: number
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
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new RefusedRequest('scheme', url)
  }
  const { networks, redirects, permit } = fetching
  const target = await targetOf(url, networks)
  if (!target) throw new RefusedRequest('closed', url)
  permit(url, target, from)
  const response = await sendTo(url, target, fetching)
  const { statusCode: status = 0, headers } = response
  if (![301, 302, 303, 307, 308].includes(status) || !headers.location) return { url, response }
  response.on('error', () => {}).destroy()
  if (redirects === 0) throw new RefusedRequest('redirects', url)
  return fetchFrom(headers.location, { ...fetching, redirects: redirects - 1 }, url)
}

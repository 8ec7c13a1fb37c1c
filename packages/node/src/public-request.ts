/**
 * Requests to addresses that users have given. Such an address must not become a way into the
 * networks of the server: each host name is resolved once, only public addresses and those of allowed
 * networks pass, and the connection goes to the address that was checked.
 */
import { lookup as resolve } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks of IPv4 that are not the public internet. */
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
/** The public part of IPv6, and what in it leads elsewhere or stands for nothing. */
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
  /** Whether the operator has allowed its network. */
  allowed: boolean
}

/**
 * The address to which a request for a URL goes; undefined if all addresses of its host are in
 * networks that are closed to it.
 * @param networks those that are open to it besides the public internet
 * @throws the error of the system for a host that is not known
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
  method?: 'GET' | 'POST'
  /** In the order in which they are sent; a name may occur several times. */
  headers: readonly (readonly [name: string, value: string])[]
  body?: string
  signal: AbortSignal
}

/** Sends one request, to an address that has been checked. Redirects are not followed. */
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
  // No connection of another purpose is used again, so the lookup above is always asked.
  const options = { agent: false as const, method, headers: values, signal, lookup }
  // An error after the answer is that of the connection whose answer is read.
  request(url, options, answer).on('error', reject).end(body)
  return promise
}

/** The addresses that requests to user-supplied URLs may connect to. */
import { lookup as resolve } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { errorCode } from '@steading/files'
import type { OutgoingProxy } from './proxy.ts'

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

/** Where the requests of a feature may go. */
export interface Reach {
  /** Open to them besides the public internet. */
  networks?: BlockList | undefined
  proxy?: OutgoingProxy | undefined
}

/** The addresses of a host, or the proxy that leads to it. */
export interface Target {
  /** In the order of the resolver. A connection through a proxy uses none of them. */
  addresses: readonly string[]
  /** Whether their networks are allowed by the operator. */
  allowed: boolean
  proxy?: URL | undefined
}

/** Codes of a host name that cannot be looked up. */
const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'])

async function addressesOf(url: URL, isProxied: boolean): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return [host]
  try {
    return (await resolve(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    // The proxy may know more names.
    if (isProxied && unresolved.has(errorCode(error) ?? '')) return []
    throw error
  }
}

/**
 * Where to send a request to a URL; undefined if all addresses of its host are in closed networks.
 * A proxy looks the name up again, so it gets no name that has any closed address here.
 * @throws the system error for an unknown host
 */
export async function targetOf(url: URL, { networks, proxy }: Reach): Promise<Target | undefined> {
  const via = proxy?.proxyFor(url)
  const found = await addressesOf(url, via !== undefined)
  const isAllowed = (address: string) => networks?.check(address, familyOf(address)) ?? false
  const addresses = found.filter((address) => isAllowed(address) || isPublic(address))
  if (via ? addresses.length < found.length : addresses.length === 0) return undefined
  return { addresses, allowed: addresses.length > 0 && addresses.every(isAllowed), proxy: via }
}

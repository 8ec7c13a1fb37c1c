/** The addresses that requests to user-supplied URLs may connect to. */
import { lookup as resolve } from 'node:dns/promises'
import { type BlockList, isIP } from 'node:net'
import { isPublicAddress } from '@steading/api/rules'
import { errorCode } from '@steading/files'
import type { OutgoingProxy } from './proxy.ts'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

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
  const addresses = found.filter((address) => isAllowed(address) || isPublicAddress(address))
  if (via ? addresses.length < found.length : addresses.length === 0) return undefined
  return { addresses, allowed: addresses.length > 0 && addresses.every(isAllowed), proxy: via }
}

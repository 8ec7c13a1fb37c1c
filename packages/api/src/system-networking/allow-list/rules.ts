/**
 * Rules of the allow list, the addresses from which the services may be reached (control plane
 * 10.2).
 */
import {
  addressBits,
  lastAddress,
  networkAddress,
  parseAddress,
  parseNetwork,
} from '../../rules/ip.ts'

export type AllowedSourceIps = { allow: 'any' } | { allow: 'list'; ips: string[] }

/** Maximum number of networks on the list. */
export const ALLOW_LIST_MAX = 1024

export const allowListMessages = {
  empty: 'IP allowlist must not be empty',
  unspecified:
    'Source IP allowlist may not contain the unspecified address. Use "any" to allow any source to connect to user-facing services.',
  everything: 'Source IP allowlist entries may not have a netmask of /0.',
  lockout:
    'The source IP allow list would prevent access from the current client! Ensure that the allowlist contains an entry that continues to allow access from this peer.',
  tooMany: `Source IP allowlist may have at most ${ALLOW_LIST_MAX} entries.`,
} as const

/** Reason that a valid network cannot be on the list. */
export function allowedNetworkProblem(network: string): string | undefined {
  const { version, value, width } = parseNetwork(network)!
  if (width === 0) return allowListMessages.everything
  return value === 0n && width === addressBits[version] ? allowListMessages.unspecified : undefined
}

/**
 * Predicate of client addresses that may reach the services. Text that is not an address may not.
 */
export function admission(allowed: AllowedSourceIps): (address: string) => boolean {
  if (allowed.allow === 'any') return () => true
  const networks = allowed.ips.map((text) => {
    const net = parseNetwork(text)!
    return { version: net.version, first: networkAddress(net).value, last: lastAddress(net).value }
  })
  return (address) => {
    // Drops the zone of a link-local address.
    const client = parseAddress(address.replace(/%.*$/, ''))
    return (
      client !== undefined &&
      networks.some(
        ({ version, first, last }) =>
          version === client.version && first <= client.value && client.value <= last,
      )
    )
  }
}

/** Rules of BGP configurations, announce sets and peers (control plane 10.2). */
import { type AddressBlock, blockHasNetwork, blockText } from '../address-lots/rules.ts'
import { formatNetwork, networkAddress, parseNetwork } from '../../rules/ip.ts'

export const BGP_PATHS_MIN = 1
export const BGP_PATHS_MAX = 32
export const BGP_PATHS_DEFAULT = 1
/** Autonomous system numbers have 32 bits, and 0 is reserved (RFC 7607). */
export const ASN_MAX = 0xffffffff

/** Maximum number of networks in a set. */
export const ANNOUNCEMENTS_MAX = 1024

/** Session states in the order of coming up. */
export const bgpPeerStates = [
  'idle',
  'connect',
  'active',
  'open_sent',
  'open_confirm',
  'connection_collision',
  'session_setup',
  'established',
] as const
export type BgpPeerState = (typeof bgpPeerStates)[number]

export const bgpMessages = {
  asnTaken: 'cannot have more than one configuration per ASN',
  asnZero: 'ASN 0 is reserved',
  configInUse: 'BGP Config is in use and cannot be deleted',
  setInUse: 'announce set in use',
  /** Form warning. */
  hostBits: (network: string) =>
    `network ${network} has a host part: ${announcedPrefix(network)} is announced`,
  /** Form warning. */
  outside: (network: string, blocks: readonly AddressBlock[]) =>
    blocks.length === 1
      ? `network ${network} is not in the address lot block ${blockText(blocks[0]!)}`
      : `network ${network} is not in any block of the address lot`,
  noBlock: 'address lot has no blocks',
  twice: (network: string) => `network ${network} is announced twice`,
  tooMany: `An announce set may have at most ${ANNOUNCEMENTS_MAX} announcements`,
} as const

/**
 * Prefix that the switches announce for a network of a set. The contract accepts networks with host
 * bits and returns them as sent, but routes have none.
 * @param network the text of a network
 */
export const announcedPrefix = (network: string): string =>
  formatNetwork(networkAddress(parseNetwork(network)!))

/**
 * Warning about a network typed for a set; undefined also for text that is not a network.
 * @param blocks of its lot, if known
 */
export function announcementWarning(
  network: string,
  blocks: readonly AddressBlock[] | undefined,
): string | undefined {
  const net = parseNetwork(network)
  if (!net) return undefined
  if (networkAddress(net).value !== net.value) return bgpMessages.hostBits(network)
  return blocks && !blocks.some((block) => blockHasNetwork(block, network))
    ? bgpMessages.outside(network, blocks)
    : undefined
}

/** Rules about BGP configurations, announce sets and peers (control plane 10.2). */
import { type AddressBlock, blockText } from './address-lots.ts'
import { formatNetwork, networkAddress, parseNetwork } from './ip.ts'

export const BGP_PATHS_MIN = 1
export const BGP_PATHS_MAX = 32
export const BGP_PATHS_DEFAULT = 1
/** Autonomous system numbers have 32 bits, and 0 is none (RFC 7607). */
export const ASN_MAX = 0xffffffff

/** How many networks a set may announce. */
export const ANNOUNCEMENTS_MAX = 1024

/** The states of a session, in the order in which one comes up. */
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
  hostBits: (network: string) =>
    `${network} is not a network address: its host ID must be zero, as in ${networkOf(network)}`,
  outside: (network: string, blocks: readonly AddressBlock[]) =>
    blocks.length === 1
      ? `network ${network} is not in the address lot block ${blockText(blocks[0]!)}`
      : `network ${network} is not in any block of the address lot`,
  noBlock: 'address lot has no blocks',
  twice: (network: string) => `network ${network} is announced twice`,
  tooMany: `An announce set may have at most ${ANNOUNCEMENTS_MAX} announcements`,
} as const

const networkOf = (network: string) => formatNetwork(networkAddress(parseNetwork(network)!))

/** Why a set cannot announce a network, apart from where it is; its text is that of a network. */
export function announcedNetworkProblem(network: string): string | undefined {
  const net = parseNetwork(network)!
  return networkAddress(net).value === net.value ? undefined : bgpMessages.hostBits(network)
}

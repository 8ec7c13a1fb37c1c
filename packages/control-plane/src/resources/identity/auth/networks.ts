import { formatNetwork, IPV6_PREFIXES, networkAddress, parseAddress } from '@steading/api/rules'
import { type LoginThrottle, requireTurn } from './throttle.ts'

/** A network for which attempts of clients are counted. */
export interface Network {
  name: string
  /** Limit of the whole network, as a multiple of a single client's. */
  share: number
}

/**
 * The networks of a client, the narrowest first: an IPv4 address itself, and ever shorter prefixes
 * of an IPv6 address, because the owner of a large prefix can call from any number of small ones.
 */
export function networksOf(clientAddress: string): Network[] {
  const address = parseAddress(clientAddress)
  if (address?.version !== 'v6') return [{ name: clientAddress, share: 1 }]
  return IPV6_PREFIXES.map(({ bits, share }) => ({
    name: formatNetwork(networkAddress({ ...address, width: bits })),
    share,
  }))
}

/** The narrowest network of a client, for counting per user and client. */
export const narrowestOf = (clientAddress: string): string => networksOf(clientAddress)[0]!.name

/**
 * Counts an attempt for each network of a client, as a failure until it is refunded.
 * @param purpose the kind of attempt
 * @param free failures of the narrowest network that cost nothing
 * @param message for a client that has to wait so many milliseconds
 * @returns a function that refunds the attempt
 * @throws ApiError 429 if the client has to wait; then nothing is counted
 */
export function requireTurnOfNetworks(
  throttle: LoginThrottle,
  purpose: string,
  clientAddress: string,
  free: number,
  message: (waitMs: number) => string,
): () => void {
  const counted: string[] = []
  const refund = () => counted.forEach((key) => throttle.refund(key))
  try {
    for (const { name, share } of networksOf(clientAddress)) {
      const key = `${purpose} ${name}`
      requireTurn(throttle, key, free * share, message)
      counted.push(key)
    }
  } catch (error) {
    refund()
    throw error
  }
  return refund
}

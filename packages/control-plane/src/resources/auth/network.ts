import { formatNetwork, networkAddress, parseAddress } from '@steading/api/rules'

/**
 * Length of the prefix that identifies a household or machine; it can choose the other bits freely.
 */
const IPV6_NETWORK_BITS = 64

/** The network by which the attempts of a client are counted. */
export function networkOf(clientAddress: string): string {
  const address = parseAddress(clientAddress)
  if (address?.version !== 'v6') return clientAddress
  return formatNetwork(networkAddress({ ...address, width: IPV6_NETWORK_BITS }))
}

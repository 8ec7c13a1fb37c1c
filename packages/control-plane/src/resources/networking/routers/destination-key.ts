/** The sort key for the destinations of routes. */
import { parseAddress, parseNetwork, networkAddress, type RouteEnd } from '@steading/api/rules'
import { nameKey } from '@steading/api/rules'
import { addressKey } from '../addresses/keys.ts'

const WIDTH_DIGITS = 3

const keyOf = (rank: '4' | '6', key: string, width: number): string =>
  `${rank} ${key} ${String(width).padStart(WIDTH_DIGITS, '0')}`

/** Addresses by their value, IPv4 before IPv6 and wide networks before narrow ones; then names. */
export function destinationKey({ type, value = '' }: RouteEnd): string {
  const address = type === 'ip' ? parseAddress(value) : undefined
  if (address) {
    return address.version === 'v4'
      ? keyOf('4', addressKey(address), 32)
      : keyOf('6', addressKey(address), 128)
  }
  const network = type === 'ip_net' ? parseNetwork(value) : undefined
  if (!network) return `name ${nameKey(value)}`
  const first = addressKey(networkAddress(network))
  return keyOf(network.version === 'v4' ? '4' : '6', first, network.width)
}

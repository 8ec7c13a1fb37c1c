/** Which addresses are on the public internet. */
import { contains, type Network, parseAddress, parseNetwork } from './ip.ts'

const networks = (...texts: string[]): Network[] => texts.map((text) => parseNetwork(text)!)

/** Special-purpose networks, which are not part of the public internet, or lead elsewhere. */
const special = networks(
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
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
)
/** Global unicast of IPv6, and all of IPv4. */
const global = networks('0.0.0.0/0', '2000::/3')

/** Whether an address is on the public internet; false for any other text. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (!address) return false
  const isIn = (list: readonly Network[]) => list.some((network) => contains(network, address))
  return isIn(global) && !isIn(special)
}

/** Ranges of addresses, for comparing many addresses with many networks. */
import {
  type Address,
  type IpVersion,
  lastAddress,
  networkAddress,
  parseAddress,
  parseNetwork,
} from '@steading/api/rules'

export interface Range {
  version: IpVersion
  first: bigint
  last: bigint
}

const bits = { v4: 32, v6: 128 } as const

export const rangeOf = (address: Address): Range => ({
  version: address.version,
  first: address.value,
  last: address.value,
})

/** The range of `address/width`, whose host bits may be set. */
export function rangeOfNetwork(text: string): Range | undefined {
  const network = parseNetwork(text)
  return (
    network && {
      version: network.version,
      first: networkAddress(network).value,
      last: lastAddress(network).value,
    }
  )
}

/** The range of one address. */
export function rangeOfAddress(text: string): Range | undefined {
  const address = parseAddress(text)
  return address && rangeOf(address)
}

export const isIn = ({ version, first, last }: Range, address: Address): boolean =>
  version === address.version && first <= address.value && address.value <= last

/** Addresses of both versions, sorted and without overlaps. */
export type Ranges = Readonly<Record<IpVersion, readonly Range[]>>

function merged(ranges: Range[]): Range[] {
  const found: Range[] = []
  for (const range of ranges.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const previous = found.at(-1)
    if (!previous || range.first > previous.last + 1n) found.push({ ...range })
    else if (range.last > previous.last) previous.last = range.last
  }
  return found
}

export const mergeRanges = (ranges: readonly Range[]): Ranges => ({
  v4: merged(ranges.filter(({ version }) => version === 'v4')),
  v6: merged(ranges.filter(({ version }) => version === 'v6')),
})

/** Whether an address is in one of many ranges. */
export function isInSome(ranges: Ranges, { version, value }: Address): boolean {
  const sorted = ranges[version]
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.last < value) low = middle + 1
    else high = middle
  }
  return low < sorted.length && sorted[low]!.first <= value
}

export const isSame = (a: Address, b: Address): boolean =>
  a.version === b.version && a.value === b.value

/** Prefix length of a range that is a network. */
export function widthOf({ version, first, last }: Range): number {
  let host = 0
  for (let size = last - first + 1n; size > 1n; size >>= 1n) host++
  return bits[version] - host
}

/** Parses the address of a row, validated by the contract. */
export function addressOf(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw new Error(`Not an address: ${text}`)
  return address
}

/** Parses the network of a row, validated by the contract. */
export function networkOf(text: string): Range {
  const range = rangeOfNetwork(text)
  if (!range) throw new Error(`Not a network: ${text}`)
  return range
}

/** Networks outside of the internet: private, shared, local, test, multicast. */
const notOfTheInternet = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
  '::/8',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map(networkOf)

/** Whether an address can be on the internet. */
export const isOfTheInternet = (address: Address): boolean =>
  !notOfTheInternet.some((range) => isIn(range, address))

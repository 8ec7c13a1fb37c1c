/**
 * Arithmetic of IP addresses and networks. Addresses are text on the wire and bigints inside, so
 * that both versions share one code path.
 */
export type IpVersion = 'v4' | 'v6'
/** Display name. */
export const ipVersionName = { v4: 'IPv4', v6: 'IPv6' } as const

export interface Address {
  version: IpVersion
  value: bigint
}
export interface Network extends Address {
  /** Prefix length. */
  width: number
}

/** Characters of an address: six groups of IPv6, and an IPv4 address behind them. */
export const ADDRESS_MAX = 45
/** Characters of a network. */
export const NETWORK_MAX = ADDRESS_MAX + 4

/** Bits of an address, which is the maximum prefix length. */
export const addressBits = { v4: 32, v6: 128 } as const

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

/**
 * The 16-bit groups of one side of `::`, each with four digits; the last may be an embedded IPv4
 * address.
 */
function groups(half: string): string[] | undefined {
  if (half === '') return []
  const parts = half.split(':')
  const found: string[] = []
  for (const [index, part] of parts.entries()) {
    const embedded = index === parts.length - 1 && part.includes('.') ? parseV4(part) : undefined
    if (embedded !== undefined) {
      const digits = embedded.toString(16).padStart(8, '0')
      found.push(digits.slice(0, 4), digits.slice(4))
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) found.push(part.padStart(4, '0'))
    else return undefined
  }
  return found
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = groups(halves[0]!)
  const tail = halves.length === 2 ? groups(halves[1]!) : []
  if (!head || !tail) return undefined
  // An embedded IPv4 tail is only allowed at the very end.
  if (halves.length === 2 && halves[0]!.includes('.')) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  // One conversion: firewall rules have many thousands of addresses.
  return BigInt(`0x${head.join('')}${'0000'.repeat(missing)}${tail.join('')}`)
}

export function parseAddress(text: string): Address | undefined {
  const v4 = parseV4(text)
  if (v4 !== undefined) return { version: 'v4', value: v4 }
  const v6 = parseV6(text)
  return v6 === undefined ? undefined : { version: 'v6', value: v6 }
}

export const ipVersion = (text: string): IpVersion | undefined => parseAddress(text)?.version

/** Canonical text: RFC 5952 for IPv6. */
export function formatAddress({ version, value }: Address): string {
  if (version === 'v4') {
    return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.')
  }
  // RFC 5952, section 5: an embedded IPv4 address is shown as such.
  if (value >> 32n === 0xffffn) {
    return `::ffff:${formatAddress({ version: 'v4', value: value & 0xffffffffn })}`
  }
  const digits = value.toString(16).padStart(32, '0')
  const groups = Array.from({ length: 8 }, (_, i) =>
    digits.slice(i * 4, i * 4 + 4).replace(/^0{1,3}/, ''),
  )
  // The longest run of at least two zero groups becomes "::"; among equals, the first one.
  let best = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let length = 0
    while (start + length < 8 && groups[start + length] === '0') length++
    if (length > best.length) best = { start, length }
  }
  if (best.start < 0) return groups.join(':')
  const head = groups.slice(0, best.start).join(':')
  const tail = groups.slice(best.start + best.length).join(':')
  return `${head}::${tail}`
}

/** Parses `address/width`; host bits may be set. */
export function parseNetwork(text: string): Network | undefined {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text)
  const address = match ? parseAddress(match[1]!) : undefined
  const width = Number(match?.[2])
  return address && width <= addressBits[address.version] ? { ...address, width } : undefined
}

const hostBits = ({ version, width }: Network): bigint => BigInt(addressBits[version] - width)

/** The network with its host bits cleared. */
export const networkAddress = (net: Network): Network => ({
  ...net,
  value: (net.value >> hostBits(net)) << hostBits(net),
})

/** Last address of a network. */
export const lastAddress = (net: Network): Address => ({
  version: net.version,
  value: networkAddress(net).value + (1n << hostBits(net)) - 1n,
})

export const contains = (net: Network, address: Address): boolean =>
  net.version === address.version && address.value >> hostBits(net) === net.value >> hostBits(net)

export const formatNetwork = (net: Network): string => `${formatAddress(net)}/${net.width}`

const netProblem =
  (version: IpVersion) =>
  (text: string): string | undefined => {
    const net = parseNetwork(text)
    if (!net || net.version !== version) return `invalid IP network: ${text}`
    return networkAddress(net).value === net.value
      ? undefined
      : `invalid IP network: ${text}: host bits must be zero`
  }
/** Problem with the text of an IPv4 network on the wire; host bits must be zero. */
export const ipv4NetProblem = netProblem('v4')
/** Problem with the text of an IPv6 network on the wire; host bits must be zero. */
export const ipv6NetProblem = netProblem('v6')

/** Addresses reserved at the start of every subnet. */
const RESERVED_SUBNET_ADDRESSES = 5n

/** First and last address of a subnet available to guests. */
export function guestRange(subnet: Network): { first: bigint; last: bigint } {
  const { value } = networkAddress(subnet)
  const last = lastAddress(subnet).value
  // The last IPv4 address is the broadcast address.
  return {
    first: value + RESERVED_SUBNET_ADDRESSES,
    last: subnet.version === 'v4' ? last - 1n : last,
  }
}

/** Reason that an address cannot be given to a guest of a subnet, or undefined. */
export function guestAddressProblem(subnet: Network, address: Address): string | undefined {
  if (!contains(subnet, address)) {
    return `${formatAddress(address)} is outside subnet ${formatNetwork(subnet)}`
  }
  const { first, last } = guestRange(subnet)
  if (address.value < first) return 'The first 5 addresses of a subnet are reserved'
  return address.value > last ? 'Cannot request a broadcast address' : undefined
}

/** IPv4 network and name of a VPC's default subnet. */
export const DEFAULT_SUBNET_V4 = '172.30.0.0/22'
/** Ports of one source NAT entry. */
export const SNAT_PORTS = 16384

/** Whether an address is one by which each machine reaches itself. */
export const isLoopback = (address: string): boolean =>
  address === '::1' || address.startsWith('127.')

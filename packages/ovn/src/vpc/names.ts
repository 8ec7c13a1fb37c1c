/** Names and addresses that OVN needs and the rows do not have. They derive from ids. */
import { createHash } from 'node:crypto'
import { formatAddress, type IpVersion, networkAddress, parseNetwork } from '@steading/api/rules'
import type { SubnetRow } from '@steading/network'

export const versions = ['v4', 'v6'] as const satisfies IpVersion[]
/** IP versions in conditions of OVN. */
export const families = { v4: 'ip4', v6: 'ip6' } as const

export const switchName = (subnetId: string): string => `subnet-${subnetId}`
export const routerName = (vpcId: string): string => `vpc-${vpcId}`
/** The port of a VPC's router in a subnet. */
export const routerPortName = (subnetId: string): string => `router-${subnetId}`
export const uplinkPortName = (vpcId: string): string => `uplink-${vpcId}`
/** The port of a VPC's uplink towards the network outside. */
export const uplinkNetworkName = (vpcId: string): string => `${uplinkPortName(vpcId)}-network`

/** The port of a VPC's router towards the multicast groups of all VPCs. */
export const groupsPortName = (vpcId: string): string => `groups-${vpcId}`

/** An id in names of address sets and port groups, which have letters, digits and underscores. */
export const wordOf = (id: string): string => shortOf(id)

/** The address set with the external addresses of a VPC; the version follows. */
export const outsideName = (vpcId: string): string => `s_${wordOf(vpcId)}_outside`

/** The meter that limits how many denied packets of a VPC are logged. */
export const meterName = (vpcId: string): string => `s_${wordOf(vpcId)}_logged`

/** The name of an access control list in logs, which has room for 63 characters. */
export const aclName = (vpcId: string, key: string): string => aclPrefix(vpcId) + shortOf(key)
/** Beginning of the names of all lists of a VPC. */
export const aclPrefix = (vpcId: string): string => `${wordOf(vpcId)}-`

/** A short name of a long text. */
export const shortOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)

/** A locally administered MAC address, which no interface of an instance has. */
export function macOf(text: string): string {
  return ['02', ...shortOf(text).slice(0, 10).match(/../g)!].join(':')
}

/** The link-local IPv6 address of a MAC address (RFC 4291, appendix A). */
export function linkLocal(mac: string): string {
  const bytes = mac.split(':').map((byte) => Number.parseInt(byte, 16))
  const eui = [bytes[0]! ^ 2, bytes[1]!, bytes[2]!, 0xff, 0xfe, ...bytes.slice(3)]
  const value = eui.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return formatAddress({ version: 'v6', value: (0xfe80n << 112n) | value })
}

interface SubnetAddresses {
  network: string
  gateway: string
  /** Length of the prefix. */
  width: number
}

function addressesOf(block: string): SubnetAddresses {
  const network = parseNetwork(block)!
  const { version, value } = networkAddress(network)
  return {
    network: block,
    gateway: formatAddress({ version, value: value + 1n }),
    width: network.width,
  }
}

/** The addresses of a subnet; the gateway has the first one, as guests are told. */
export const subnetAddresses = (subnet: SubnetRow): Record<'v4' | 'v6', SubnetAddresses> => ({
  v4: addressesOf(subnet.ipv4_block),
  v6: addressesOf(subnet.ipv6_block),
})

/** Networks that together are the addresses from the first to the last, as few as possible. */
export function networksOf(range: { version: 'v4' | 'v6'; first: bigint; last: bigint }): string[] {
  const bits = range.version === 'v4' ? 32 : 128
  const networks: string[] = []
  let { first } = range
  while (first <= range.last) {
    let host = 0
    while (host < bits) {
      const size = 1n << BigInt(host + 1)
      if (first % size !== 0n || first + size - 1n > range.last) break
      host++
    }
    const address = formatAddress({ version: range.version, value: first })
    networks.push(host === 0 ? address : `${address}/${bits - host}`)
    first += 1n << BigInt(host)
  }
  return networks
}

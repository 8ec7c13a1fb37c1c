/** Rules of IP pools: ranges and purpose (control plane 8.8). */
import {
  type Address,
  formatAddress,
  type IpVersion,
  ipVersionName,
  lastAddress,
  parseAddress,
  parseNetwork,
} from '../../rules/ip.ts'
import type { Obstacle } from '../../workspace/deletion/rules.ts'
import type { PoolUse } from '../pools/rules.ts'

export const ipPoolTypes = ['unicast', 'multicast'] as const
export type IpPoolType = (typeof ipPoolTypes)[number]

export const ipPoolAssignments = ['silos', 'system_services'] as const
export type IpPoolAssignment = (typeof ipPoolAssignments)[number]

/** A range including both ends, in wire format. */
export interface IpRange {
  first: string
  last: string
}

/** Addresses of one version, including both ends. */
interface Span {
  version: IpVersion
  first: bigint
  last: bigint
}

const asSpan = (first: Address, last: Address): Span => ({
  version: first.version,
  first: first.value,
  last: last.value,
})

const networkSpan = (text: string): Span => {
  const network = parseNetwork(text)!
  return asSpan(network, lastAddress(network))
}

/** Problem with a range by itself; undefined if its ends are in order and of one version. */
export function ipRangeProblem({ first, last }: IpRange): string | undefined {
  const [from, to] = [parseAddress(first), parseAddress(last)]
  // Invalid ends have refusals of their own.
  if (!from || !to) return undefined
  if (from.version !== to.version) return 'first and last must have the same IP version'
  return from.value > to.value ? 'first must not come after last' : undefined
}

const spanOf = ({ first, last }: IpRange): Span => asSpan(parseAddress(first)!, parseAddress(last)!)

const overlap = (a: Span, b: Span): boolean =>
  a.version === b.version && a.first <= b.last && b.first <= a.last
const within = (a: Span, b: Span): boolean =>
  a.version === b.version && a.first >= b.first && a.last <= b.last

const multicast = ['224.0.0.0/4', 'ff00::/8'].map(networkSpan)

/** Source-specific multicast networks: members must name their sources. */
const sourceSpecific = [
  '232.0.0.0/8',
  ...Array.from({ length: 16 }, (_, flags) => `ff3${flags.toString(16)}::/32`),
].map(networkSpan)

const reserved = (
  [
    ['IPv4 link-local', '224.0.0.0/24'],
    ['IPv6 reserved-scope', 'ff00::/16'],
    ['IPv6 interface-local', 'ff01::/16'],
    ['IPv6 link-local', 'ff02::/16'],
    ['IPv6 underlay', 'ff04::/64'],
  ] as const
).map(([words, network]) => ({ words, network, span: networkSpan(network) }))

/** Whether members of a multicast group must name its sources (SSM), or may omit them (ASM). */
export type MulticastMode = 'ASM' | 'SSM'

const spanMode = (span: Span): MulticastMode =>
  sourceSpecific.some((one) => overlap(span, one)) ? 'SSM' : 'ASM'

/** Mode of a range of a multicast pool. */
export const multicastMode = (range: IpRange): MulticastMode => spanMode(spanOf(range))

/** The mode of a multicast address. */
export const multicastModeOf = (ip: string): MulticastMode => multicastMode({ first: ip, last: ip })

export const isMulticastAddress = (address: Address): boolean =>
  multicast.some((one) => within(asSpan(address, address), one))

function multicastProblem(range: Span, others: readonly IpRange[]): string | undefined {
  const taken = reserved.find(({ span }) => overlap(range, span))
  if (taken) return `Cannot add ${taken.words} multicast range (${taken.network}) to IP pool`
  const mode = spanMode(range)
  if (mode === 'SSM' && !sourceSpecific.some((one) => within(range, one))) {
    return 'IP range cannot span ASM and SSM address spaces'
  }
  const other = others.map(multicastMode).find((one) => one !== mode)
  return other && `Cannot mix ${mode} and ${other} ranges in the same multicast pool`
}

interface Pool {
  id: string
  ip_version: IpVersion
  pool_type: IpPoolType
}

/**
 * Reason that a pool cannot have a range, apart from an overlap with another one.
 * @param others existing ranges of the pool
 */
export function poolRangeProblem(
  pool: Pool,
  range: IpRange,
  others: readonly IpRange[],
): string | undefined {
  const span = spanOf(range)
  if (span.version !== pool.ip_version) {
    return `Cannot add ${ipVersionName[span.version]} address range to ${ipVersionName[pool.ip_version]} pool with ID "${pool.id}"`
  }
  const isMulticast = multicast.some((one) => overlap(span, one))
  if (isMulticast && !multicast.some((one) => within(span, one))) {
    return 'IP range cannot span multicast and unicast address spaces'
  }
  const type: IpPoolType = isMulticast ? 'multicast' : 'unicast'
  if (type !== pool.pool_type)
    return `Cannot add ${type} address range to ${pool.pool_type} IP pool`
  return isMulticast ? multicastProblem(span, others) : undefined
}

/** A range in the spelling of messages and answers. */
export function canonicalRange({ first, last }: IpRange): IpRange {
  return {
    first: formatAddress(parseAddress(first)!),
    last: formatAddress(parseAddress(last)!),
  }
}

export const ipPoolMessages = {
  overlap: ({ first, last }: IpRange) =>
    `The provided IP range ${first}-${last} overlaps with an existing IP pool range or subnet pool member`,
  noRange: ({ first, last }: IpRange) => `The provided range ${first}-${last} does not exist`,
  rangeInUse: (holders: string) =>
    `IP pool ranges cannot be deleted while ${holders} are allocated from them`,
  addressesInUse: 'IP Pool cannot be deleted while addresses of it are in use',
  hasRanges: 'IP Pool cannot be deleted while it contains IP ranges',
  inService: 'IP Pool cannot be deleted while it is assigned to a service',
  assigned: (assignment: IpPoolAssignment) => `IP Pool already has assignment '${assignment}'`,
  linkedAndAssigned:
    'IP Pools cannot be both linked to Silos and assigned for system services use.',
  lastReassigned:
    'Cannot reassign the last IP Pool assigned for system services use. Create and assign at least one more IP Pool before reassigning this one.',
  lastDeleted:
    'Cannot delete the last IP Pool assigned for system services use. Create and assign at least one more IP Pool before deleting this one.',
  usedInSilo: 'IP addresses from this pool are in use in the linked silo',
  noServicePool: 'no system-service IP pool of the requested IP version',
} as const

/** Message of the 507 for a pool without free addresses. */
export const poolExhausted = (pool: string, { capacity, allocated }: PoolUse): string =>
  `No external IP addresses available: ${capacity - allocated} of ${capacity} are left in the pool "${pool}"`

/** Reason that the console does not offer to delete a pool with ranges. */
export const IP_POOL_HAS_RANGES = 'IP pool cannot be deleted while it contains IP ranges'

/** Contents of a pool, which decide whether it can be deleted. */
export const ipPoolFillings = ['empty', 'ranges', 'used', 'service', 'last'] as const
export type IpPoolFilling = (typeof ipPoolFillings)[number]

/** Reason that a pool cannot be deleted as it is, and the steps to take first. */
export const ipPoolObstacles: Record<IpPoolFilling, Obstacle | undefined> = {
  empty: undefined,
  ranges: { reason: ipPoolMessages.hasRanges, steps: ['empty'] },
  used: { reason: ipPoolMessages.addressesInUse, steps: [] },
  service: { reason: ipPoolMessages.inService, steps: [] },
  last: { reason: ipPoolMessages.lastDeleted, steps: [] },
}

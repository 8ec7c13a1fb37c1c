/** Rules of subnet pools and their members (control plane 8.9). */
import type { Obstacle } from '../../workspace/deletion/rules.ts'
import { externalSubnetMessages } from '../external-subnets/rules.ts'
import { cidrFieldProblem } from '../../rules/ip-fields.ts'
import {
  addressBits,
  type IpVersion,
  ipVersionName,
  type Network,
  networkAddress,
} from '../../rules/ip.ts'

/** Allowed prefix lengths of subnets of a member. */
export interface PrefixLengths {
  min: number
  max: number
}

/** Reason that a pool cannot have a network as a member, apart from an overlap with another one. */
export function memberProblem(
  pool: { ip_version: IpVersion },
  network: Network,
  { min, max }: PrefixLengths,
): string | undefined {
  const { version, width } = network
  const name = ipVersionName[version]
  if (networkAddress(network).value !== network.value) return externalSubnetMessages.hostBits
  if (min > max) return 'The minimum prefix length must be no greater than the maximum'
  if (max > addressBits[version]) {
    return `Cannot create an ${name} subnet with a max prefix length greater than ${addressBits[version]}`
  }
  if (min < width) {
    return `Min and max prefix length must be no less than the IP subnet prefix length (/${width})`
  }
  return version === pool.ip_version
    ? undefined
    : `Cannot add ${name} members to ${ipVersionName[pool.ip_version]} subnet pool`
}

/**
 * Form error for a prefix length of a new member; undefined if it is valid. The width of the
 * network counts once the network is valid.
 */
export function prefixLengthsProblem(
  which: 'min' | 'max',
  version: IpVersion,
  { subnet, min, max }: { subnet: string; min: number | undefined; max: number | undefined },
): string | undefined {
  const length = which === 'min' ? min : max
  if (length === undefined) return undefined
  const bound = addressBits[version]
  if (length < 0 || length > bound) return `Must be between 0 and ${bound}`
  if (which === 'min' && max !== undefined && length > max) {
    return 'Min prefix length must be ≤ max prefix length'
  }
  const width = cidrFieldProblem(subnet) ? undefined : Number(subnet.split('/')[1])
  return width !== undefined && length < width
    ? `Must be ≥ subnet prefix length (${width})`
    : undefined
}

export const subnetPoolMessages = {
  overlap: (subnet: string) =>
    `The IP subnet ${subnet} overlaps with an existing subnet pool member or IP pool range`,
  noMember: (subnet: string) =>
    `A provided subnet pool member with subnet ${subnet} does not exist`,
  memberInUse:
    'Cannot delete external subnet pool member while it contains external subnets. Please delete all external subnets first.',
  subnetsInUse: 'Subnet pool cannot be deleted while external subnets of it are in use',
  hasMembers:
    'Cannot delete external subnet pool while it contains members. Please delete all external subnet pool members first.',
  hasDefault:
    'Silo already has a default subnet pool for this IP version. Link the pool as non-default, then make it the default, which will demote the existing one.',
  usedInSilo:
    'Cannot unlink subnet pool from silo while there are external subnets allocated from the pool. Delete the subnets first, and try again.',
} as const

/** Reason that the console does not offer to delete a pool with members. */
export const SUBNET_POOL_HAS_MEMBERS = 'Subnet pool cannot be deleted while it contains members'

/** Contents of a pool, which decide whether it can be deleted. */
export const subnetPoolFillings = ['empty', 'members', 'used'] as const
export type SubnetPoolFilling = (typeof subnetPoolFillings)[number]

/** Reason that a pool cannot be deleted as it is, and the steps to take first. */
export const subnetPoolObstacles: Record<SubnetPoolFilling, Obstacle | undefined> = {
  empty: undefined,
  members: { reason: subnetPoolMessages.hasMembers, steps: ['empty'] },
  used: { reason: subnetPoolMessages.subnetsInUse, steps: [] },
}

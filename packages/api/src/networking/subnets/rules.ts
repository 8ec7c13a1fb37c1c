/** Rules of the IP blocks of a subnet (control plane 8.2). */
import { contains, formatNetwork, type Network, parseNetwork } from '../../rules/ip.ts'

const privateBlocks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((text) =>
  parseNetwork(text)!,
)
const widths = { min: 8, max: 26 }
/** Prefix length of a subnet's IPv6 block. */
export const SUBNET_V6_WIDTH = 64

/** Reason that a subnet cannot have an IPv4 block; undefined if it can. */
export function subnetV4Problem(block: Network): string | undefined {
  if (!privateBlocks.some((each) => each.width <= block.width && contains(each, block))) {
    return 'VPC Subnet IPv4 address ranges must be from a private range'
  }
  return block.width >= widths.min && block.width <= widths.max
    ? undefined
    : `VPC Subnet IPv4 address ranges must have prefix length between ${widths.min} and ${widths.max}, inclusive`
}

/** Reason that a subnet of a VPC with a prefix cannot have an IPv6 block; undefined if it can. */
export const subnetV6Problem = (block: Network, prefix: Network): string | undefined =>
  block.width === SUBNET_V6_WIDTH && contains(prefix, block)
    ? undefined
    : `VPC Subnet IPv6 address range '${formatNetwork(block)}' is not valid for VPC with IPv6 prefix '${formatNetwork(prefix)}'`

/** Refusal of a block that overlaps another subnet of the VPC. */
export const subnetConflict = (block: Network): string =>
  `IP address range '${formatNetwork(block)}' conflicts with an existing subnet`

export const ROUTER_OF_OTHER_VPC =
  'a router can only be attached to a subnet when both belong to the same VPC'
export const SYSTEM_ROUTER_UNATTACHABLE = 'cannot attach a system router to a VPC subnet'

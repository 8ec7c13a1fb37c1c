/** Rules of the IPv6 prefix of a VPC (control plane 8.1, console 2.3). */
import { cidrFieldProblem } from '../../rules/ip-fields.ts'
import { contains, type Network, parseNetwork } from '../../rules/ip.ts'

/** Prefix length of a VPC. */
export const VPC_PREFIX_WIDTH = 48

/** Locally assigned unique local addresses (RFC 4193). */
const assignedLocally = parseNetwork('fd00::/8')!
const uniqueLocal = parseNetwork('fc00::/7')!

/** Reason that a VPC cannot have a prefix; undefined if it can. Host bits are ignored. */
export const vpcPrefixProblem = (prefix: Network): string | undefined =>
  prefix.width === VPC_PREFIX_WIDTH && contains(assignedLocally, prefix)
    ? undefined
    : 'VPC IPv6 address prefixes must be in the Unique Local Address range `fd00::/48` (RFD 4193)'

/** Form error for a prefix while it is typed. */
export function vpcPrefixFieldProblem(text: string): string | undefined {
  const problem = cidrFieldProblem(text)
  if (problem) return problem
  const [address, width] = text.split('/')
  const net = parseNetwork(`${address}/${Number(width)}`)!
  if (net.version === 'v4') return 'Must be an IPv6 prefix'
  if (!contains(uniqueLocal, net)) return 'Must be a unique local address (fc00::/7)'
  return net.width === VPC_PREFIX_WIDTH ? undefined : `Width must be ${VPC_PREFIX_WIDTH}`
}

/** Valid destinations and targets of routes (control plane 8.4). */
import { type IpVersion, ipVersion } from '../../rules/ip.ts'
import type { RouteEnd } from './rules.ts'

/** IP version of an end that is an address or a network. */
const versionOf = ({ type, value = '' }: RouteEnd): IpVersion | undefined =>
  type === 'ip' || type === 'ip_net' ? ipVersion(value.split('/')[0]!) : undefined

/** Reason that a route cannot lead from its destination to its target; undefined if it can. */
export function routeProblem(
  kind: 'default' | 'custom',
  destination: RouteEnd,
  target: RouteEnd,
): string | undefined {
  const from = versionOf(destination)
  const to = versionOf(target)
  if (from && to && from !== to) {
    return 'cannot mix explicit IPv4 and IPv6 addresses between destination and target'
  }
  const name = kind === 'default' ? 'Default' : 'Custom'
  if (destination.type === 'vpc' || target.type === 'vpc') {
    return `users cannot specify VPCs as a destination or target in ${name} routes`
  }
  if (target.type === 'subnet') return `subnets cannot be used as a target in ${name} routers`
  return undefined
}

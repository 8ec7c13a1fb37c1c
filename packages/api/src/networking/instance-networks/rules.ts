/**
 * Networks of instances as an engine applies them. Not every engine can do all that firewall rules
 * ask for; the console marks the rules that ask for more.
 */
import {
  type FirewallHostType,
  type FirewallProtocolType,
  isIcmp,
  parsePortRange,
} from '../firewall-rules/rules.ts'
import {
  type FirewallAction,
  type FirewallDirection,
  type FirewallStatus,
} from '../firewall-rules/values.ts'

/**
 * Abilities of an engine that firewall rules may depend on: to hold back outgoing traffic
 * (`outbound`), to carry traffic between instances (`inside`), to tell where traffic comes from
 * (`sources`), ICMP, any number of ports, and IPv6 in an instance without IPv4.
 */
export const networkNeeds = ['outbound', 'inside', 'sources', 'icmp', 'ports', 'ipv6'] as const
export type NetworkNeed = (typeof networkNeeds)[number]

/** Largest number of ports that an engine forwards to one instance, if it has to forward ports. */
export const FORWARDED_PORTS_MAX = 64

/** Reasons why a rule is not enforced, or not entirely. */
export const notEnforcedReasons: Record<NetworkNeed, string> = {
  outbound: 'With this engine, instances reach everything outside, whatever the rules.',
  inside: 'With this engine, instances do not reach each other by their private addresses.',
  sources:
    'This engine forwards ports on its host, and does not see the addresses that traffic comes from.',
  icmp: 'This engine lets in TCP and UDP only.',
  ports: `This engine forwards up to ${FORWARDED_PORTS_MAX} ports of an instance, with narrow ranges first.`,
  ipv6: 'This engine forwards ports to IPv4 addresses only.',
}

/** A firewall rule, as far as it asks something of an engine. */
interface EnforcedRule {
  status: FirewallStatus
  direction: FirewallDirection
  action: FirewallAction
  filters: {
    hosts?: readonly { type: FirewallHostType }[] | null
    protocols?: readonly { type: FirewallProtocolType }[] | null
    ports?: readonly string[] | null
  }
}

/** Number of ports of one protocol that a rule with these filters selects; ranges may overlap. */
const portCount = (ports: readonly string[] | null | undefined): number =>
  ports?.length
    ? ports.reduce((sum, text) => {
        const parsed = parsePortRange(text)
        return 'range' in parsed ? sum + parsed.range.last - parsed.range.first + 1 : sum
      }, 0)
    : 65_535

/** The things that a rule needs of an engine in order to have its whole effect. */
export function needsOfRule({ status, direction, action, filters }: EnforcedRule): NetworkNeed[] {
  if (status === 'disabled') return []
  const { hosts, protocols, ports } = filters
  if (direction === 'outbound') return action === 'deny' ? ['outbound'] : []
  const needs = new Set<NetworkNeed>()
  const byAddress = hosts?.some(({ type }) => type === 'ip' || type === 'ip_net')
  const byName = hosts?.some(({ type }) => type !== 'ip' && type !== 'ip_net')
  if (byAddress) needs.add('sources')
  // Traffic between instances does not arrive in any case, so a denial of it holds.
  if (action === 'deny') return [...needs]
  if (byName) needs.add('inside')
  if (byName && !byAddress) return [...needs]
  const isOnlyIcmp = Boolean(protocols?.length) && protocols!.every(({ type }) => isIcmp(type))
  if (isOnlyIcmp) needs.add('icmp')
  else if (portCount(ports) > FORWARDED_PORTS_MAX) needs.add('ports')
  return [...needs]
}

/** Why an engine does not enforce a rule, or not entirely; empty if it does. */
export const notEnforced = (rule: EnforcedRule, lacks: readonly NetworkNeed[]): string[] =>
  needsOfRule(rule)
    .filter((need) => lacks.includes(need))
    .map((need) => notEnforcedReasons[need])

/** Explains that the traffic of interfaces is not measured. */
export const unmeasuredNetwork = {
  title: 'The network is not measured',
  body: 'This instance is in the user-mode networking of QEMU, which counts neither bytes nor packets.',
}

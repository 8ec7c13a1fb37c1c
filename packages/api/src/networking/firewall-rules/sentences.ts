/**
 * Firewall rules as sentences: `Allow TCP 443 from anywhere to web-1`. Lists, dialogs, versions and
 * the names that screen readers hear show these.
 */
import { inWords } from '../../rules/texts.ts'
import { type FirewallHostType, type FirewallProtocolType, icmpTypeName, isIcmp } from './rules.ts'
import type { FirewallAction, FirewallDirection, FirewallStatus } from './values.ts'

/** A target, or the other end of traffic. */
export interface SpokenHost {
  type: FirewallHostType
  value: string
}

/** A protocol; `value` has the type and codes of ICMP. */
export interface SpokenProtocol {
  type: FirewallProtocolType
  value?: { icmpType: number; code?: string | null } | null
}

/** The parts of a rule that its sentence tells. */
export interface SpokenRule {
  action: FirewallAction
  direction: FirewallDirection
  status?: FirewallStatus
  targets: readonly SpokenHost[]
  filters: {
    hosts?: readonly SpokenHost[] | null
    ports?: readonly string[] | null
    protocols?: readonly SpokenProtocol[] | null
  }
}

/** How much a sentence tells of long lists: `short` counts what would make it unreadable. */
export type SentenceLength = 'short' | 'whole'

export const firewallProtocolNames: Record<FirewallProtocolType, string> = {
  tcp: 'TCP',
  udp: 'UDP',
  icmp: 'ICMPv4',
  icmp6: 'ICMPv6',
}

/** Hosts that a short sentence names; more are counted by kind. */
const HOSTS_NAMED = 2
/** Ports that a short sentence names before it counts the others. */
const PORTS_NAMED = 3

/** Networks with all addresses of a version. */
const everyAddress: Readonly<Record<string, string>> = {
  '0.0.0.0/0': 'any IPv4 address',
  '::/0': 'any IPv6 address',
}

/** A host with its kind, where that is no instance: `subnet public`, `203.0.113.7`. */
export const hostInWords = ({ type, value }: SpokenHost): string => hostWords[type](value)

const hostWords: Record<FirewallHostType, (value: string) => string> = {
  vpc: (name) => `VPC ${name}`,
  subnet: (name) => `subnet ${name}`,
  instance: (name) => name,
  ip: (address) => address,
  ip_net: (network) => everyAddress[network] ?? network,
}

const counts: Record<FirewallHostType, string> = {
  vpc: 'VPCs',
  subnet: 'subnets',
  instance: 'instances',
  ip: 'addresses',
  ip_net: 'networks',
}

function hostsInWords(hosts: readonly SpokenHost[], length: SentenceLength): string {
  if (length === 'whole' || hosts.length <= HOSTS_NAMED) {
    return inWords(hosts.map(hostInWords))
  }
  const types = [...new Set(hosts.map(({ type }) => type))]
  return inWords(
    types.map((type) => {
      const same = hosts.filter((host) => host.type === type)
      return same.length === 1 ? hostInWords(same[0]!) : `${same.length} ${counts[type]}`
    }),
  )
}

function portsInWords(ports: readonly string[], length: SentenceLength): string {
  const named = length === 'whole' || ports.length <= PORTS_NAMED + 1 ? ports.length : PORTS_NAMED
  const more = ports.length - named
  return inWords([...ports.slice(0, named), ...(more > 0 ? [`${more} more ports`] : [])])
}

/** Types of ICMP that `ping` sends; their only code is 0. */
export const PING_TYPES = { icmp: 8, icmp6: 128 } as const

function icmpInWords({ type, value }: SpokenProtocol): string {
  const name = firewallProtocolNames[type]
  if (!value || !isIcmp(type)) return name
  const { icmpType, code } = value
  if (icmpType === PING_TYPES[type] && (!code || code === '0')) return `ping (${name})`
  const typeName = icmpTypeName(type, icmpType)?.toLowerCase()
  const numbers = `type ${icmpType}${code ? ` code ${code}` : ''}`
  return `${name} ${numbers}${typeName ? ` (${typeName})` : ''}`
}

/**
 * The traffic of filters: `TCP 80 and 443`, `ping (ICMPv4)`, `all traffic`. Ports without a protocol
 * are those of TCP and UDP, and a rule with ports matches no ICMP, which has none.
 */
function trafficInWords(
  { protocols, ports }: SpokenRule['filters'],
  length: SentenceLength,
): string {
  const named = protocols ?? []
  const portWords = portsInWords(ports ?? [], length)
  if (named.length === 0) return portWords ? `TCP/UDP ${portWords}` : 'all traffic'
  const transport = [
    ...new Set(
      named.filter(({ type }) => !isIcmp(type)).map(({ type }) => firewallProtocolNames[type]),
    ),
  ].join('/')
  const icmp = named.filter(({ type }) => isIcmp(type))
  if (!portWords) return inWords([...(transport ? [transport] : []), ...icmp.map(icmpInWords)])
  const portless = inWords([...new Set(icmp.map(({ type }) => firewallProtocolNames[type]))])
  if (!transport) return `no traffic (ports do not match ${portless})`
  return `${transport} ${portWords}${portless ? ` (not ${portless}: ports do not match it)` : ''}`
}

/**
 * A rule without its action: `TCP 443 from anywhere to web-1`. Rules of outbound traffic go from
 * their targets to the other end.
 */
export function firewallTraffic(rule: SpokenRule, length: SentenceLength = 'short'): string {
  const hosts = rule.filters.hosts ?? []
  const others = hosts.length > 0 ? hostsInWords(hosts, length) : 'anywhere'
  const targets = rule.targets.length > 0 ? hostsInWords(rule.targets, length) : 'no instance'
  const [from, to] = rule.direction === 'inbound' ? [others, targets] : [targets, others]
  return `${trafficInWords(rule.filters, length)} from ${from} to ${to}`
}

export const firewallActionNames = { allow: 'Allow', deny: 'Deny' } as const

/** A rule as a sentence: `Allow TCP 443 from anywhere to web-1 (disabled)`. */
export function firewallSentence(rule: SpokenRule, length: SentenceLength = 'short'): string {
  const off = rule.status === 'disabled' ? ' (disabled)' : ''
  return `${firewallActionNames[rule.action]} ${firewallTraffic(rule, length)}${off}`
}

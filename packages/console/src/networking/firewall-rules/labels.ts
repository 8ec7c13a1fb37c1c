/** The display texts of rules. */
import type { VpcFirewallRuleProtocol, VpcFirewallRuleUpdate } from '@steading/api/client'
import {
  FIREWALL_PARTS_MAX,
  type FirewallHostType,
  firewallProtocolNames,
  type IcmpProtocol,
  icmpTypeName,
} from '@steading/api/rules'

export const noun = { one: 'rule', many: 'rules' }

/** Why a rule cannot have more targets or filters of a kind. */
export const TOO_MANY_PARTS = `A rule has at most ${FIREWALL_PARTS_MAX} of these.`

export const hostTypeNames: Record<FirewallHostType, string> = {
  vpc: 'VPC',
  subnet: 'VPC subnet',
  instance: 'Instance',
  ip: 'IP',
  ip_net: 'IP subnet',
}

export const actionLooks = { allow: undefined, deny: 'font-medium text-red-text' } as const
export const directionNames = { inbound: 'Inbound', outbound: 'Outbound' } as const
export const statusNames = { enabled: 'Enabled', disabled: 'Disabled' } as const

/** `3 - Destination Unreachable`, or `3` for a type without a name. */
export function icmpTypeText(protocol: IcmpProtocol, type: number): string {
  const name = icmpTypeName(protocol, type)
  return name ? `${type} - ${name}` : String(type)
}

type Protocol = VpcFirewallRuleProtocol
type TrafficFilters = { protocols?: Protocol[] | null; ports?: string[] | null }

const hasPorts = ({ type }: Protocol) => type === 'tcp' || type === 'udp'

/** The type and code of an ICMP filter: `type 3 code 0`. */
function icmpDetail(protocol: Protocol): string | undefined {
  const filter = 'value' in protocol ? protocol.value : null
  if (!filter) return undefined
  return `type ${filter.icmpType}${filter.code ? ` code ${filter.code}` : ''}`
}

/**
 * The traffic of filters: protocols, TCP and UDP with ports (`TCP` and `80, 443`), or ports without
 * a protocol.
 */
export function trafficOf({
  protocols,
  ports,
}: TrafficFilters): { type: string; value?: string }[] {
  const ofProtocols = (protocols ?? []).map((protocol) => ({
    type: firewallProtocolNames[protocol.type],
    value: hasPorts(protocol) ? ports?.join(', ') || undefined : icmpDetail(protocol),
  }))
  if (protocols?.some(hasPorts)) return ofProtocols
  return [...ofProtocols, ...(ports ?? []).map((port) => ({ type: 'Port', value: port }))]
}

/** `TCP 80, 443`, `ICMPv4 type 3 code 0`, `Port 22`. */
export const trafficTexts = (filters: TrafficFilters): string[] =>
  trafficOf(filters).map(({ type, value }) => (value ? `${type} ${value}` : type))

type Reach = Pick<VpcFirewallRuleUpdate, 'action' | 'direction' | 'targets' | 'filters'>

const allTraffic = {
  allow: {
    inbound: 'it allows all inbound traffic to its targets, from everywhere',
    outbound: 'it allows all outbound traffic of its targets, to everywhere',
  },
  deny: {
    inbound: 'it denies all inbound traffic to its targets',
    outbound: 'it denies all outbound traffic of its targets',
  },
} as const

const filtered = ({ hosts, ports, protocols }: Reach['filters']): boolean =>
  [hosts, ports, protocols].some((parts) => (parts ?? []).length > 0)

const remarksOn = ({ action, direction, targets, filters }: Reach): string[] => [
  ...(targets.length === 0 ? ['The rule has no targets: it applies to no instance.'] : []),
  ...(filtered(filters) ? [] : [`The rule has no filters: ${allTraffic[action][direction]}.`]),
]

/**
 * Warnings to confirm before saving a rule without targets or filters.
 * @param before the saved rule; its warnings need no confirmation again
 */
export function unrestricted(rule: Reach, before?: Reach): string[] {
  const known = before ? remarksOn(before) : []
  return remarksOn(rule).filter((remark) => !known.includes(remark))
}

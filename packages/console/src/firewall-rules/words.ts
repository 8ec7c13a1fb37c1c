/** The words for what stands in rules. */
import type { VpcFirewallRuleProtocol } from '@steading/api/client'
import {
  type FirewallHostType,
  type FirewallProtocolType,
  type IcmpProtocol,
  icmpTypeName,
} from '@steading/api/rules'

export const noun = { one: 'rule', many: 'rules' }

export const hostTypeNames: Record<FirewallHostType, string> = {
  vpc: 'VPC',
  subnet: 'VPC subnet',
  instance: 'Instance',
  ip: 'IP',
  ip_net: 'IP subnet',
}

export const protocolNames: Record<FirewallProtocolType, string> = {
  tcp: 'TCP',
  udp: 'UDP',
  icmp: 'ICMPv4',
  icmp6: 'ICMPv6',
}

export const actionNames = { allow: 'Allow', deny: 'Deny' } as const
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

/** What a filter matches of an ICMP protocol: `type 3 code 0`. */
function icmpDetail(protocol: Protocol): string | undefined {
  const filter = 'value' in protocol ? protocol.value : null
  if (!filter) return undefined
  return `type ${filter.icmpType}${filter.code ? ` code ${filter.code}` : ''}`
}

/** Protocols, TCP and UDP with their ports (`TCP` and `80, 443`), and ports that have neither. */
export function trafficOf({
  protocols,
  ports,
}: TrafficFilters): { type: string; value?: string }[] {
  const ofProtocols = (protocols ?? []).map((protocol) => ({
    type: protocolNames[protocol.type],
    value: hasPorts(protocol) ? ports?.join(', ') || undefined : icmpDetail(protocol),
  }))
  if (protocols?.some(hasPorts)) return ofProtocols
  return [...ofProtocols, ...(ports ?? []).map((port) => ({ type: 'Port', value: port }))]
}

/** `TCP 80, 443`, `ICMPv4 type 3 code 0`, `Port 22`. */
export const trafficTexts = (filters: TrafficFilters): string[] =>
  trafficOf(filters).map(({ type, value }) => (value ? `${type} ${value}` : type))

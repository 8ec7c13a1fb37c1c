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
export const directionNames = { inbound: 'Inbound', outbound: 'Outbound' } as const
export const statusNames = { enabled: 'Enabled', disabled: 'Disabled' } as const

/** `3 - Destination Unreachable`, or `3` for a type without a name. */
export function icmpTypeText(protocol: IcmpProtocol, type: number): string {
  const name = icmpTypeName(protocol, type)
  return name ? `${type} - ${name}` : String(type)
}

/** What a filter matches of an ICMP protocol: `type 3 code 0`. */
export function icmpDetail(protocol: VpcFirewallRuleProtocol): string | undefined {
  const filter = 'value' in protocol ? protocol.value : null
  if (!filter) return undefined
  return `type ${filter.icmpType}${filter.code ? ` code ${filter.code}` : ''}`
}

/** `TCP`, `ICMPv4 type 3 code 0`. */
export function protocolText(protocol: VpcFirewallRuleProtocol): string {
  const detail = icmpDetail(protocol)
  return `${protocolNames[protocol.type]}${detail ? ` ${detail}` : ''}`
}

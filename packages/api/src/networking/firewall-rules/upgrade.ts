import { lastChangeOf } from '../../version-history.ts'
import { NotAcceptableError, type SchemaChange } from '../../versions.ts'

/** A protocol used to be a word, before ICMP had types and codes. */
export const protocolChange: SchemaChange = {
  until: 2025112000,
  upgradeRequest(protocol) {
    if (protocol === 'TCP' || protocol === 'UDP') return { type: protocol.toLowerCase() }
    return protocol === 'ICMP' ? { type: 'icmp', value: null } : protocol
  },
}

/** Older clients do not know ICMPv6. */
export const icmp6Change: SchemaChange = {
  until: lastChangeOf('VpcFirewallRuleProtocol'),
  presentResponse(protocol) {
    if ((protocol as { type: string }).type !== 'icmp6') return protocol
    throw new NotAcceptableError('firewall protocol icmp6 not supported for client version')
  },
}

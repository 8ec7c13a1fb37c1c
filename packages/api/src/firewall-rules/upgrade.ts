import { NotAcceptableError, type SchemaChange } from '../versions.ts'

interface Protocol {
  type: string
  value?: unknown
}

/** Before ICMP had types and codes, a protocol was a word. */
export const protocolChange: SchemaChange = {
  until: 2025112000,
  upgradeRequest(protocol) {
    if (protocol === 'TCP' || protocol === 'UDP') return { type: protocol.toLowerCase() }
    return protocol === 'ICMP' ? { type: 'icmp', value: null } : protocol
  },
  presentResponse(protocol) {
    const { type, value } = protocol as Protocol
    if (!value) return type.toUpperCase()
    throw new NotAcceptableError('ICMP types not supported for client version')
  },
}

/** Older clients have no word for ICMPv6. */
export const icmp6Change: SchemaChange = {
  until: 2026032400,
  presentResponse(protocol) {
    if ((protocol as Protocol).type !== 'icmp6') return protocol
    throw new NotAcceptableError('firewall protocol icmp6 not supported for client version')
  },
}

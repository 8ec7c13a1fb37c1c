/** Packets as sentences. */
import { firewallTraffic } from '../firewall-rules/sentences.ts'

/** The parts of a packet that its sentence tells. */
export interface SpokenPacket {
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmp6' | 'other'
  source: string
  destination: string
  port: number | null
  icmpType: number | null
}

/** `TCP 443 from 203.0.113.7 to 172.30.0.5`, in the words of firewall rules */
export function packetSentence(packet: SpokenPacket): string {
  const { protocol, source, destination, port, icmpType } = packet
  if (protocol === 'other') return `Another protocol from ${source} to ${destination}`
  const value = icmpType === null ? null : { icmpType }
  return firewallTraffic({
    action: 'deny',
    direction: 'inbound',
    targets: [{ type: 'ip', value: destination }],
    filters: {
      hosts: [{ type: 'ip', value: source }],
      protocols: [{ type: protocol, value }],
      ports: port === null ? null : [String(port)],
    },
  })
}

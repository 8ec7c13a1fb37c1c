/** The packet of a question, for whoever really sends it. */
import { type Address, formatAddress } from '@steading/api/rules'
import { askedPacket } from './ask.ts'
import { interfaceWith, type Question } from './ends.ts'
import type { Interface, Network } from './model.ts'
import { isIn } from './ranges.ts'
import { icmpPort, isIcmp, type Protocol } from './selection.ts'
import { echo } from './traffic.ts'
import { follow } from './walk.ts'

export interface AskedPacket {
  protocol: Protocol
  /** Null for ICMP. */
  port: number | null
  /** For ICMP. */
  isEchoRequest: boolean
  source: string
  destination: string
  /** The interface that sends it; undefined outside. */
  from: Interface | undefined
  /** Where it should arrive, whatever rules and routes say; undefined outside. */
  to: Interface | undefined
  /** The destination is in the subnet of the sender, so no router is on its way. */
  isDirect: boolean
  /** Its addresses on the way from one VPC to another, if the routes lead there. */
  between: { source: string; destination: string } | undefined
}

/** @returns a sentence if there is no such packet */
export function packetOf(network: Network, question: Question): AskedPacket | string {
  const { traffic, ends } = askedPacket(network, question)
  if (typeof ends === 'string') return ends
  const { at: from, packet } = ends.start
  const { hops, end } = follow(network, ends.start).there
  const outside = hops.find((hop) => hop.kind === 'outside')
  const isBetween = from && outside?.at && outside.at.vpc !== from.vpc
  const { protocol, port } = traffic
  const isEchoRequest =
    (protocol === 'icmp' || protocol === 'icmp6') && port === icmpPort(echo[protocol].request, 0)
  return {
    protocol,
    port: isIcmp(protocol) ? null : port,
    isEchoRequest,
    ...textsOf(packet),
    from: from ?? undefined,
    to: end ? (end.at ?? undefined) : interfaceWith(network, from?.vpc, packet.destination),
    isDirect: from !== null && isInSubnet(from, packet.destination),
    between: isBetween ? textsOf(outside.packet) : undefined,
  }
}

const isInSubnet = ({ vpc, subnet }: Interface, address: Address): boolean =>
  vpc.subnets.some(
    ({ row, ranges }) => row.id === subnet.id && ranges.some((range) => isIn(range, address)),
  )

const textsOf = ({ source, destination }: { source: Address; destination: Address }) => ({
  source: formatAddress(source),
  destination: formatAddress(destination),
})

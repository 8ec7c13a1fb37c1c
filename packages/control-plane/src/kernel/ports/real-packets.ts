/** Sending a real packet through the networks of VPCs, to see what becomes of it. */
import type { PacketAnswer, PacketDecision } from '@steading/api/rules'

/** An interface of an instance. */
export interface PacketPlace {
  interfaceId: string
  mac: string
  subnetId: string
  vpcId: string
}

export interface RealPacket {
  /** Of ICMP, an echo request. */
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmp6'
  /** For TCP, of which a SYN is sent, and UDP. */
  port: number | null
  source: string
  destination: string
  /** Outside of all VPCs if undefined. */
  from: PacketPlace | undefined
  /** Where it should arrive, whatever rules and routes say; outside of all VPCs if undefined. */
  to: PacketPlace | undefined
  /** The destination is in the subnet of the sender, so no router is on its way. */
  isDirect: boolean
  /** Its addresses on the way from one VPC to another, if that is its way. */
  between: { source: string; destination: string } | undefined
  /** The host gets it, and sends it to nobody. */
  stopsAtHost: boolean
}

export interface PacketFate {
  /** At its destination; or if that is outside, on its way out. */
  arrived: boolean
  /** Undefined without an arrival, and if no answer can come. */
  answer: PacketAnswer | undefined
  /** The decision about it; undefined if the engine's trace does not tell. */
  verdict: PacketVerdict | undefined
}

export interface PacketVerdict {
  by: PacketDecision
  allowed: boolean
  /** For rules. */
  direction?: 'inbound' | 'outbound'
  /** Name of the rule, in the VPC of the end of that direction. */
  rule?: string
  /** Id of the route. */
  route?: string
}

/** An interface is not attached to the network of this server's host. */
export class NotAttached extends Error {
  readonly interfaceId: string

  constructor(interfaceId: string) {
    super(`interface ${interfaceId} is not attached`)
    this.interfaceId = interfaceId
  }
}

/**
 * Sends a packet, a few times while it does not arrive, and looks for it.
 * @throws NotAttached if one of its ends is not attached here
 */
export type SendPacket = (packet: RealPacket) => Promise<PacketFate>

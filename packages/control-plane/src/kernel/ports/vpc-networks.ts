/**
 * The port for networks that carry the packets of VPCs between machines. The control plane applies
 * a VPC as a whole, again whenever its rows have changed. Every call may be repeated; the repetition
 * has no effect.
 */
import type { NetworkRows } from '@steading/network'
import type { SilentCenter } from '@steading/api/rules'
import type { Background } from './background.ts'
import type { SendPacket } from './real-packets.ts'

/** Everything that decides about the packets of a VPC. */
export interface VpcNetwork {
  vpcId: string
  /** Rises with every claim of the VPC; a call with an older one has no effect. */
  version: number
  /** The rows of this VPC, and of nothing else. */
  rows: NetworkRows
  /** Groups with members in this VPC. */
  multicast: readonly VpcMulticastGroup[]
}

/** A multicast group, as far as a VPC has its members. */
export interface VpcMulticastGroup {
  id: string
  address: string
  /** Other VPCs have members as well. */
  isShared: boolean
  /** Interfaces that receive, each with the sources it accepts packets from; none: from any. */
  members: readonly { interfaceId: string; sources: readonly string[] }[]
}

export interface VpcNetworkStatus {
  vpcId: string
  /** Undefined if others have changed the network, or nobody has looked at it since the start. */
  version: number | undefined
}

/** How the hypervisor attaches an interface to the network. */
export interface Attachment {
  kind: 'openvswitch'
  bridge: string
  /** Name of the port, by which Open vSwitch and OVN know the interface. */
  port: string
  /** Bytes of the largest packet. */
  mtu: number
}

/** Packets that a rule has decided about, or no rule. */
export interface DecisionUse {
  /** Answers within an allowed connection are not counted. */
  packets: number
  /** Packets before this time are not counted. */
  since: Date
  last: Date | undefined
}

export interface FirewallUse {
  /** By the names of the rules. */
  rules: ReadonlyMap<string, DecisionUse>
  /** Packets that no rule decides about. */
  byDefault: { inbound: DecisionUse | undefined; outbound: DecisionUse | undefined }
}

/** An interface whose packets are asked for. */
export interface ObservedInterface {
  id: string
  vpcId: string
  mac: string
}

/** Like packets that were denied. */
export interface DeniedPackets {
  interfaceId: string
  first: Date
  last: Date
  packets: number
  direction: 'inbound' | 'outbound'
  protocol: 'tcp' | 'udp' | 'icmp' | 'icmp6' | 'other'
  source: string
  destination: string
  /** The destination's, of TCP and UDP. */
  port?: number
  icmpType?: number
  /** The rule that denied them; `default` if no rule allows them, undefined for a rule that is gone. */
  by: { rule: string } | 'default' | undefined
}

/** A host that carries packets. */
export interface NetworkHostHealth {
  /** Its name. */
  name: string
  /** When it has last said that it follows all changes. */
  answered: Date | undefined
  /** Since when it does not follow changes; undefined while it does. */
  silentSince: Date | undefined
  /** Tunnels to other hosts. */
  tunnels: number
}

export interface NetworkHealth {
  /** The part that tells hosts of changes, if that part does not answer. */
  silentCenter: { part: SilentCenter; since: Date } | undefined
  /** Empty while they are not known. */
  hosts: NetworkHostHealth[]
  version: string | undefined
}

export interface NetworkDaemon {
  name: string
  /** `silent` if it runs and does not answer. */
  state: 'running' | 'silent' | 'ended'
  since: Date | undefined
  version: string | undefined
}

/** The software of the host of this server. */
export interface NetworkHostState {
  daemons: NetworkDaemon[]
  /** Rules of its switch, into which networks are translated. */
  flows: number | undefined
}

export interface VpcNetworks extends Background {
  /**
   * The attachment of an interface of a machine that is about to be run.
   * @param mtu bytes of the largest packet of its instance, if that is not the usual one
   */
  attachment: (interfaceId: string, mtu: number | undefined) => Attachment
  /**
   * Applies the network of a VPC; resolves when it is in effect on all hosts that answer.
   * @returns the version in effect, which is newer than the given one if another server was faster
   * @throws if it is not in effect in time; the next call continues
   */
  apply: (network: VpcNetwork) => Promise<{ version: number }>
  /** Removes the network of a VPC: nothing is carried for it any more. */
  remove: (vpcId: string) => Promise<void>
  /** The networks of all VPCs, as they are in the engine now. */
  list: () => Promise<VpcNetworkStatus[]>
  /**
   * How many packets the rules of a VPC have decided about, as of some seconds ago. Undefined at an
   * engine that does not count.
   * @throws NetworkSilent
   */
  firewallUse?: (vpcId: string) => Promise<FirewallUse>
  /** How the network is, as of the last look some seconds ago. Undefined at an engine without hosts. */
  health?: () => NetworkHealth
  /**
   * The software of the host of this server, now.
   * @throws NetworkSilent
   */
  hostState?: () => Promise<NetworkHostState>
  /**
   * The last packets from and to interfaces that were denied, the latest first, of which there is a
   * limited number. Undefined at an engine that does not record them.
   * @throws NetworkSilent
   */
  deniedPackets?: (interfaces: readonly ObservedInterface[]) => Promise<DeniedPackets[]>
  /** Missing where nobody could say what became of a packet. */
  sendPacket?: SendPacket
  /** Whether the host is known to be unable to watch for packets, so that none are sent. */
  isBlind?: () => boolean
}

/** The network does not say now what it has seen. */
export class NetworkSilent extends Error {
  override name = 'NetworkSilent'
}

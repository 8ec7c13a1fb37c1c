/**
 * The port for networks that carry the packets of VPCs between machines. The control plane applies
 * a VPC as a whole, again whenever its rows have changed. Every call may be repeated; the repetition
 * has no effect.
 */
import type { NetworkRows } from '@steading/network'
import type { Background } from './background.ts'
import type { SendPacket } from './real-packets.ts'

/** Everything that decides about the packets of a VPC. */
export interface VpcNetwork {
  vpcId: string
  /** Rises with every claim of the VPC; a call with an older one has no effect. */
  version: number
  /** The rows of this VPC, and of nothing else. */
  rows: NetworkRows
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
  /** Servers that answer names outside of the VPC. */
  nameServers: Readonly<Record<'v4' | 'v6', readonly string[]>>
}

export interface VpcNetworks extends Background {
  /** The attachment of an interface of a machine that is about to be run. */
  attachment: (interfaceId: string) => Attachment
  /**
   * Applies the network of a VPC; resolves when it is in effect on all hosts.
   * @returns the version in effect, which is newer than the given one if another server was faster
   * @throws if it is not in effect in time; the next call continues
   */
  apply: (network: VpcNetwork) => Promise<{ version: number }>
  /** Removes the network of a VPC: nothing is carried for it any more. */
  remove: (vpcId: string) => Promise<void>
  /** The networks of all VPCs, as they are in the engine now. */
  list: () => Promise<VpcNetworkStatus[]>
  /** Missing where nobody could say what became of a packet. */
  sendPacket?: SendPacket
}

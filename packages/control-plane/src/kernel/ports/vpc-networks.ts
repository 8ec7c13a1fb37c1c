/**
 * The port for networks that carry the packets of VPCs between machines. The control plane applies
 * a VPC as a whole, again whenever its rows have changed. Every call may be repeated; the repetition
 * has no effect.
 */
import type { NetworkRows } from '@steading/network'
import type { Background } from './background.ts'

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

export interface VpcNetworks extends Background {
  /**
   * The attachment of an interface of a machine that is about to be run.
   * @param mtu bytes of the largest packet of its instance, if that is not the usual one
   */
  attachment: (interfaceId: string, mtu: number | undefined) => Attachment
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
}

/**
 * The port for networks that are applied to machines, for engines that cannot ask for them with
 * each packet (`Networks`). The control plane derives each network from the rows and applies it
 * again when it has changed. Every call may be repeated; the repetition has no effect.
 */
import type { NetworkNeed } from '@steading/api/rules'
import type { AddressSpan, Ingress } from '@steading/network'
import type { Background } from './background.ts'

export type { AddressSpan, Ingress }

/** An ephemeral or floating IP, with the traffic to it that the rules let in. */
export interface MachineIngress extends Ingress {
  /** The external address. */
  external: string
  /** The address of the machine that has it. */
  address: string
}

/** The network of a machine. */
export interface MachineNetwork {
  machineId: string
  /** Rises with every claim of the network; a call with an older one is too late. */
  version: number
  interfaces: {
    name: string
    mac: string
    primary: boolean
    /** Addresses in its subnets. */
    addresses: string[]
  }[]
  ingresses: MachineIngress[]
  /** Things that the rules of the machine need. */
  needs: NetworkNeed[]
}

/** A way from the host of a machine to a port in its guest. */
export interface MachineEndpoint {
  external: string
  protocol: 'tcp' | 'udp'
  /** The port at the external address and in the guest. */
  port: number
  hostAddress: string
  hostPort: number
}

/** The network of a machine as it is in effect. */
export interface MachineNetworkStatus {
  machineId: string
  /** The version in effect; undefined while none is, for example before its machine has booted. */
  version: number | undefined
  endpoints: MachineEndpoint[]
  /** External addresses lead to the machine by themselves, so no ports of the host are needed. */
  direct?: true
  /** Needs of the rules that are not met. */
  notEnforced: NetworkNeed[]
  /** The measurements of the machine include the traffic of its interfaces. */
  measured: boolean
}

export interface MachineNetworks extends Background {
  /** Rule features that the engine does not, or not always, enforce. */
  lacks: readonly NetworkNeed[]
  /** Whether a machine that starts now has measurements of its interfaces. */
  measured: boolean
  /**
   * Applies the network of a machine.
   * @returns what is in effect afterwards, which may still be an older version
   */
  apply: (network: MachineNetwork) => Promise<MachineNetworkStatus>
  /** Removes the network of a machine: nothing more gets in, and its endpoints are free. */
  remove: (machineId: string) => Promise<void>
  /** The networks of all machines, as they are in effect now. */
  list: () => Promise<MachineNetworkStatus[]>
}

/** What a simulated guest can do on the network. */
import type { IpVersion } from '@steading/api/rules'

export interface Destination {
  /** An address, or the name of an instance in the same VPC. */
  host: string
  version: IpVersion | undefined
  protocol: 'tcp' | 'udp' | 'icmp'
  /** For TCP and UDP. */
  port?: number
}

/**
 * What becomes of a packet: nobody has the name, the guest has no address of that version, nothing
 * comes back, the other end refuses it, or takes it.
 */
export type Reached =
  | { result: 'unknown' }
  | { result: 'no network' }
  | {
      result: 'lost' | 'refused' | 'open'
      address: string
      /** The guest that answers, of a group in which it receives. */
      answeredBy?: string | undefined
    }

/** A port on which a program listens. */
export interface Listener {
  /** The address of somebody who has connected; undefined if nobody has yet. */
  heard: () => Promise<string | undefined>
  close: () => Promise<void>
}

export interface GuestNetwork {
  reach: (to: Destination) => Promise<Reached>
  /** The addresses of the multicast groups that the guest receives. */
  groups: () => Promise<string[]>
  /** Undefined if another program listens there. */
  listen: (port: number) => Promise<Listener | undefined>
}

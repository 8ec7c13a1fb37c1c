/** Network access of a simulated guest. */
import type { IpVersion } from '@steading/api/rules'

export interface Destination {
  /** An address, or the name of an instance in the same VPC. */
  host: string
  version: IpVersion | undefined
  protocol: 'tcp' | 'udp' | 'icmp'
  /** For TCP and UDP. */
  port?: number
}

/** Fate of a packet: unknown name, no address of that version, no answer, refused, or accepted. */
export type Reached =
  | { result: 'unknown' }
  | { result: 'no network' }
  | {
      result: 'lost' | 'refused' | 'open'
      address: string
      /** The answering guest, for a group in which it receives. */
      answeredBy?: string | undefined
    }

/** A listening port of a program. */
export interface Listener {
  /** Address of a client that has connected; undefined if there is none yet. */
  heard: () => Promise<string | undefined>
  close: () => Promise<void>
}

export interface GuestNetwork {
  reach: (to: Destination) => Promise<Reached>
  /** Addresses of the multicast groups that the guest receives. */
  groups: () => Promise<string[]>
  /** Undefined if the port is in use. */
  listen: (port: number) => Promise<Listener | undefined>
}

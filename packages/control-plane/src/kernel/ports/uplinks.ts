/**
 * The uplinks of the rack's switches: sessions with the routers outside. Engines get the
 * configuration and report its state; nothing they report is stored.
 */
import type {
  BfdState,
  BgpPeerState,
  LinkFec,
  LinkSpeed,
  LinkState,
  SwitchSlot,
} from '@steading/api/rules'
import type { Background } from './background.ts'

/** The networks that may be exchanged with a peer. */
export type RoutePolicy = { type: 'no_filtering' } | { type: 'allow'; value: string[] }

/** The settings of a BGP peer in port settings, as in the contract. Times in seconds. */
export interface PeerSettings {
  /** An unnumbered router is found on the link by its advertisements. */
  addr:
    | { type: 'numbered'; target_addr: string; src_addr?: string | null }
    | { type: 'unnumbered'; router_lifetime: number }
  allowed_export: RoutePolicy
  allowed_import: RoutePolicy
  connect_retry: number
  delay_open: number
  hold_time: number
  idle_hold_time: number
  keepalive: number
  remote_asn?: number | null
}

/** A BGP peer that a switch should have a session with. */
export interface ConfiguredPeer {
  switch: SwitchSlot
  port: string
  /** The port and its link through which it is reached. */
  interface: string
  localAsn: number
  settings: PeerSettings
  /** The networks announced to it, unless its policy forbids that. */
  networks: readonly string[]
  /** When it was configured. */
  since: Date
}

/** A peer as the switch knows it. */
export interface KnownPeer {
  switch: SwitchSlot
  localAsn: number
  /** Identifies it among the peers of the switch. */
  id: string
}

export interface PeerSession {
  peer: KnownPeer
  address: string
  remoteAsn: number
  state: BgpPeerState
  /** When it entered that state. */
  since: Date
}

export interface ExportedRoute {
  peer: KnownPeer
  prefix: string
}

export interface ImportedRoute {
  peer: KnownPeer
  /** The BGP identifier of the router that announced it. */
  id: number
  nexthop: string
  prefix: string
}

/** A message of a session; its contents depend on its type. */
export interface BgpMessage {
  timestamp: string
  message:
    | { open: { version: number; asn: number; hold_time: number; id: number } }
    | { update: { withdrawn: string[]; nlri: string[]; nexthop: string | null } }
    | { notification: { error_code: number; error_subcode: number } }
    | { keepalive: Record<string, never> }
}

/** The last messages of a session, the oldest first. */
export interface PeerMessages {
  peer: KnownPeer
  sent: BgpMessage[]
  received: BgpMessage[]
}

/** A port of a switch. */
export interface SeenPort {
  switch: SwitchSlot
  port: string
}

/** A link of a port, as configured in port settings. */
export interface ConfiguredLink extends SeenPort {
  link: string
  speed: LinkSpeed
  autoneg: boolean
  mtu: number
  fec?: LinkFec | null
  /** Whether it sends LLDP to its neighbor, and listens for it. */
  lldp: boolean
  /** When it was configured. */
  since: Date
}

export interface LinkStatus {
  state: LinkState
  /** When it entered that state. */
  since: Date
}

/** Measurements of the module in a port. */
export interface PortMonitors {
  /** Degrees Celsius. */
  temperature: number
  /** Milliwatts. */
  receiverPower: number
  transmitterPower: number
}

/** The neighbor's description of itself at the other end of a link. */
export interface LinkNeighbor {
  chassisId: string
  linkName: string
  systemName: string
  systemDescription: string
  managementAddresses: string[]
  firstSeen: Date
  lastSeen: Date
}

/** A BFD session that a switch should have. */
export interface ConfiguredBfd {
  switch: SwitchSlot
  peer: string
  since: Date
}

export interface Uplinks extends Background {
  /** All ports of all switches. */
  ports: () => Promise<SeenPort[]>
  /** The state of each link, in the same order. */
  links: (configured: readonly ConfiguredLink[]) => Promise<LinkStatus[]>
  /** The neighbors of each link, in the same order. */
  neighbors: (configured: readonly ConfiguredLink[]) => Promise<LinkNeighbor[][]>
  monitors: (port: SeenPort) => Promise<PortMonitors>
  peers: (configured: readonly ConfiguredPeer[]) => Promise<PeerSession[]>
  exported: (configured: readonly ConfiguredPeer[]) => Promise<ExportedRoute[]>
  imported: (configured: readonly ConfiguredPeer[]) => Promise<ImportedRoute[]>
  messages: (configured: readonly ConfiguredPeer[]) => Promise<PeerMessages[]>
  /** The state of each session, in the same order. */
  bfd: (configured: readonly ConfiguredBfd[]) => Promise<BfdState[]>
}

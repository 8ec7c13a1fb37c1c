/**
 * The uplinks of the rack's switches: sessions with the routers outside. Engines get the
 * configuration and report its state; nothing they report is stored.
 */
import type {
  BfdMode,
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
  communities: readonly number[]
  connect_retry: number
  delay_open: number
  enforce_first_as: boolean
  hold_time: number
  idle_hold_time: number
  keepalive: number
  local_pref?: number | null
  md5_auth_key?: string | null
  min_ttl?: number | null
  multi_exit_discriminator?: number | null
  remote_asn?: number | null
  vlan_id?: number | null
}

/** A BGP peer that a switch should have a session with. */
export interface ConfiguredPeer {
  switch: SwitchSlot
  port: string
  /** The port and its link through which it is reached. */
  interface: string
  /** The name of that link, and its position among the links of the port. */
  link: string
  position: number
  localAsn: number
  /** Equally good routes that are used at the same time. */
  maxPaths: number
  vrf: string | null
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
  /** Its position among the links of its port. */
  position: number
  /** Whether it sends LLDP to its neighbor, and listens for it. */
  lldp: boolean
  /** What it tells the neighbor; what is missing is up to the switch. */
  lldpTexts: LldpTexts
  /** When it was configured. */
  since: Date
}

/** What a link tells its neighbor about itself and its switch, as in the contract. */
export interface LldpTexts {
  link_name?: string | null
  link_description?: string | null
  chassis_id?: string | null
  system_name?: string | null
  system_description?: string | null
  management_ip?: string | null
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
  linkDescription?: string | null
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
  local: string | null
  /** Packets of the peer in a row that may be missing. */
  threshold: number
  /** Microseconds between packets of the peer. */
  requiredRx: number
  mode: BfdMode
  since: Date
}

/** A part of port settings that belongs to a link of a port. */
interface OfLink extends SeenPort {
  link: string
  vlan: number | null
}

/** An address of a link, with the length of its prefix. */
export interface ConfiguredAddress extends OfLink {
  address: string
}

/** A static route over a link. */
export interface ConfiguredRoute extends OfLink {
  destination: string
  gateway: string
  /** The route with the least one is used. */
  priority: number | null
}

/** An address of a switch rather than of a port, with the length of its prefix. */
export interface ConfiguredLoopback {
  switch: SwitchSlot
  address: string
  /** Whether others have it as well. */
  anycast: boolean
}

/** All that the switches are to have, by the rows. */
export interface UplinkConfiguration {
  peers: readonly ConfiguredPeer[]
  links: readonly ConfiguredLink[]
  addresses: readonly ConfiguredAddress[]
  routes: readonly ConfiguredRoute[]
  loopbacks: readonly ConfiguredLoopback[]
  bfd: readonly ConfiguredBfd[]
}

/** What a host of uplinks was found with, after it was configured. */
export interface AppliedUplinks {
  /** Identifies what was found, so that a change by others is noticed. */
  found: string
  /** What the host cannot have and is left out, in sentences without a full stop. */
  problems: readonly string[]
  /** Whether anything had to be changed. */
  changed: boolean
}

/** Hosts whose daemons have the uplinks, so that these have to be configured. */
export interface UplinkHosts {
  names: readonly string[]
  /** Since when a host has not answered, as far as anybody has asked it. */
  silentSince: (host: string) => Date | undefined
  /** Identifies what a host is to have. */
  wanted: (host: string, configuration: UplinkConfiguration) => string
  /**
   * Makes a host have it, if it has anything else.
   * @param found the answer of the last time; without it, or if it is not found, all is written
   * @throws if the host does not answer in time, or does not take it
   */
  apply: (
    host: string,
    configuration: UplinkConfiguration,
    found: string | undefined,
  ) => Promise<AppliedUplinks>
}

/**
 * Of a host that does not answer, sessions and routes are left out. If nothing else is left, reading
 * them throws `UplinksSilent`.
 */
export interface Uplinks extends Background {
  /** Missing where switches know by themselves what they are to have. */
  hosts?: UplinkHosts
  /** All ports of all switches. */
  ports: () => Promise<SeenPort[]>
  /** The state of each link, in the same order. */
  links: (configured: readonly ConfiguredLink[]) => Promise<LinkStatus[]>
  /** The neighbors of each link, in the same order. */
  neighbors: (configured: readonly ConfiguredLink[]) => Promise<LinkNeighbor[][]>
  /** Undefined without a module that measures. */
  monitors: (port: SeenPort) => Promise<PortMonitors | undefined>
  peers: (configured: readonly ConfiguredPeer[]) => Promise<PeerSession[]>
  exported: (configured: readonly ConfiguredPeer[]) => Promise<ExportedRoute[]>
  imported: (configured: readonly ConfiguredPeer[]) => Promise<ImportedRoute[]>
  /** Missing where nothing keeps messages. */
  messages?: (configured: readonly ConfiguredPeer[]) => Promise<PeerMessages[]>
  /** The state of each session, in the same order; undefined if it is not known. */
  bfd: (configured: readonly ConfiguredBfd[]) => Promise<(BfdState | undefined)[]>
}

/** More is there than can be listed; its message says what. */
export class TooManyRoutes extends Error {}

/** No host answers that knows; its message says which do not. */
export class UplinksSilent extends Error {}

/** Rules of switch port settings, a document of nested parts (control plane 10.2). */
import { firstRepeated } from '../../rules/lists.ts'
import { ipVersion } from '../../rules/ip.ts'

/** Geometry → number of links of a port. */
export const portGeometries = { qsfp28x1: 1, qsfp28x2: 2, sfp28x4: 4 } as const
export type PortGeometry = keyof typeof portGeometries
export const portGeometryNames = Object.keys(portGeometries) as PortGeometry[]

export const linkFecs = ['firecode', 'none', 'rs'] as const
export type LinkFec = (typeof linkFecs)[number]

export const linkSpeeds = [
  'speed0_g',
  'speed1_g',
  'speed10_g',
  'speed25_g',
  'speed40_g',
  'speed50_g',
  'speed100_g',
  'speed200_g',
  'speed400_g',
] as const
export type LinkSpeed = (typeof linkSpeeds)[number]

/** Speed in Gb/s. */
export const gigabits = (speed: LinkSpeed): number => Number(/\d+/.exec(speed)![0])

export const ROUTER_LIFETIME_MAX = 9000
export const MD5_KEY_MAX = 80
export const VLAN_MIN = 1
export const VLAN_MAX = 4094
/** Maximum number of entries in each list of a document. */
export const PORT_SETTINGS_ENTRIES_MAX = 256

export const portSettingsMessages = {
  noLot: 'AddressLot not found',
  noBgpConfig: 'BGP config not found',
  notFound: 'port settings not found',
  noSelector: 'name or id required',
  duplicatePeer: (kind: PeerKind, name: string) => `duplicate ${kind} peer using ${name}`,
  md5TooLong: (peer: string) => `md5 auth key for ${peer} is longer than ${MD5_KEY_MAX} characters`,
  md5NotAscii: (peer: string) => `md5 auth key for ${peer} must be printable ascii`,
  families: 'target_addr and src_addr must be of the same address family',
  vlan: `must be from ${VLAN_MIN} to ${VLAN_MAX}`,
  tooMany: (what: string) => `Port settings may have at most ${PORT_SETTINGS_ENTRIES_MAX} ${what}`,
  tooManyLinks: (geometry: PortGeometry) =>
    `A port of geometry ${geometry} has at most ${portGeometries[geometry]} ${portGeometries[geometry] === 1 ? 'link' : 'links'}`,
  twice: (what: string, name: string) => `${what} ${name} is declared twice`,
  noLink: (name: string) => `${name} is neither a link nor an interface of these settings`,
} as const

export type PeerKind = 'numbered' | 'unnumbered'

/** The parts of a document that the rules check, in wire format. */
export interface PortSettingsDocument {
  port_config: { geometry: PortGeometry }
  links: readonly { link_name: string }[]
  interfaces: readonly { link_name: string; kind: { type: string; vid?: number } }[]
  addresses: readonly {
    link_name: string
    addresses: readonly { address: string; vlan_id?: number | null }[]
  }[]
  routes: readonly { link_name: string; routes: readonly { vid?: number | null }[] }[]
  bgp_peers: readonly {
    link_name: string
    peers: readonly {
      addr:
        | { type: 'numbered'; target_addr: string; src_addr?: string | null }
        | { type: 'unnumbered' }
      md5_auth_key?: string | null
      vlan_id?: number | null
    }[]
  }[]
}

/** A problem of the document as a whole, or of the value of a property. */
export interface PortSettingsProblem {
  label?: string
  text: string
}

/** Problem with the MD5 key of a peer's session. */
export function md5KeyProblem(peer: string, key: string): string | undefined {
  if (key.length > MD5_KEY_MAX) return portSettingsMessages.md5TooLong(peer)
  return /^[\x20-\x7e]*$/.test(key) ? undefined : portSettingsMessages.md5NotAscii(peer)
}

/** Problem with a document by itself; the control plane looks up its references. */
export function portSettingsProblem(
  document: PortSettingsDocument,
): PortSettingsProblem | undefined {
  const { links, interfaces, addresses, routes, bgp_peers } = document
  const allAddresses = addresses.flatMap((one) => one.addresses)
  const allRoutes = routes.flatMap((one) => one.routes)
  const allPeers = bgp_peers.flatMap((one) =>
    one.peers.map((peer) => ({ link_name: one.link_name, ...peer })),
  )
  const counted = {
    links,
    interfaces,
    addresses: allAddresses,
    routes: allRoutes,
    'BGP peers': allPeers,
  }
  for (const [what, entries] of Object.entries(counted)) {
    if (entries.length > PORT_SETTINGS_ENTRIES_MAX) {
      return { text: portSettingsMessages.tooMany(what) }
    }
  }
  const linkNames = links.map(({ link_name }) => link_name)
  const link = firstRepeated(linkNames)
  if (link !== undefined) return { text: portSettingsMessages.twice('link', link) }
  const interfaceNames = interfaces.map(({ link_name }) => link_name)
  const twice = firstRepeated(interfaceNames)
  if (twice !== undefined) return { text: portSettingsMessages.twice('interface', twice) }
  const vlans = {
    vlan_id: [...allAddresses, ...allPeers].map(({ vlan_id }) => vlan_id),
    vid: [...allRoutes.map(({ vid }) => vid), ...interfaces.map(({ kind }) => kind.vid)],
  }
  for (const [label, ids] of Object.entries(vlans)) {
    if (ids.some((id) => id !== null && id !== undefined && (id < VLAN_MIN || id > VLAN_MAX))) {
      return { label, text: portSettingsMessages.vlan }
    }
  }
  const seen = new Set<string>()
  for (const { link_name, addr, md5_auth_key } of allPeers) {
    const name = addr.type === 'numbered' ? addr.target_addr : link_name
    const key = `${addr.type} ${name}`
    if (seen.has(key)) return { text: portSettingsMessages.duplicatePeer(addr.type, name) }
    seen.add(key)
    if (
      addr.type === 'numbered' &&
      addr.src_addr &&
      ipVersion(addr.src_addr) !== ipVersion(addr.target_addr)
    ) {
      return { text: portSettingsMessages.families }
    }
    const text = md5_auth_key ? md5KeyProblem(name, md5_auth_key) : undefined
    if (text) return { label: 'md5_auth_key', text }
  }
  return undefined
}

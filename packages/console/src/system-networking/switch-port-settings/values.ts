/** The input of the form, flat: each entry names its link. */
import type {
  BgpPeer,
  ImportExportPolicy,
  LinkFec,
  SwitchPortSettingsCreate,
  SwitchPortSettingsDetails,
} from '@steading/api/client'
import type { LinkSpeed, PortGeometry } from '@steading/api/rules'
import { lldpOf, type LldpValues, lldpValuesOf } from './lldp-fields.tsx'

/** An empty optional number is NaN. */
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)
const orNaN = (value: number | null | undefined): number => value ?? Number.NaN

export type LinkValues = {
  linkName: string
  speed: LinkSpeed
  mtu: number
  autoneg: boolean
  fec: LinkFec | 'default'
  lldp: LldpValues
  txEq: { main: number; pre1: number; pre2: number; post1: number; post2: number }
}
export type InterfaceValues = {
  linkName: string
  kind: 'primary' | 'vlan' | 'loopback'
  vid: number
  v6Enabled: boolean
}
export type AddressValues = {
  linkName: string
  address: string
  addressLot: string
  vlanId: number
}
export type RouteValues = {
  linkName: string
  dst: string
  gw: string
  vid: number
  ribPriority: number
}
export type PeerValues = {
  linkName: string
  bgpConfig: string
  kind: 'numbered' | 'unnumbered'
  targetAddr: string
  srcAddr: string
  routerLifetime: number
  remoteAsn: number
  /** Comma-separated networks. */
  allowedImport: string
  filtersImport: boolean
  allowedExport: string
  filtersExport: boolean
  communities: string
  connectRetry: number
  delayOpen: number
  holdTime: number
  idleHoldTime: number
  keepalive: number
  localPref: number
  multiExitDiscriminator: number
  minTtl: number
  vlanId: number
  md5AuthKey: string
  enforceFirstAs: boolean
}
export type SettingsValues = {
  name: string
  description: string
  geometry: PortGeometry
  links: LinkValues[]
  interfaces: InterfaceValues[]
  addresses: AddressValues[]
  routes: RouteValues[]
  peers: PeerValues[]
}

const noEqualization = {
  main: Number.NaN,
  pre1: Number.NaN,
  pre2: Number.NaN,
  post1: Number.NaN,
  post2: Number.NaN,
}

export const newLink = (index: number): LinkValues => ({
  linkName: `phy${index}`,
  speed: 'speed100_g',
  mtu: 1500,
  autoneg: false,
  fec: 'default',
  lldp: lldpValuesOf({ enabled: true }),
  txEq: noEqualization,
})
export const newInterface = (): InterfaceValues => ({
  linkName: '',
  kind: 'vlan',
  vid: Number.NaN,
  v6Enabled: true,
})
export const newAddress = (linkName: string): AddressValues => ({
  linkName,
  address: '',
  addressLot: '',
  vlanId: Number.NaN,
})
export const newRoute = (linkName: string): RouteValues => ({
  linkName,
  dst: '',
  gw: '',
  vid: Number.NaN,
  ribPriority: Number.NaN,
})
export const newPeer = (linkName: string): PeerValues => ({
  linkName,
  bgpConfig: '',
  kind: 'numbered',
  targetAddr: '',
  srcAddr: '',
  routerLifetime: 0,
  remoteAsn: Number.NaN,
  allowedImport: '',
  filtersImport: false,
  allowedExport: '',
  filtersExport: false,
  communities: '',
  connectRetry: 3,
  delayOpen: 3,
  holdTime: 6,
  idleHoldTime: 3,
  keepalive: 2,
  localPref: Number.NaN,
  multiExitDiscriminator: Number.NaN,
  minTtl: Number.NaN,
  vlanId: Number.NaN,
  md5AuthKey: '',
  enforceFirstAs: false,
})

export const initialValues: SettingsValues = {
  name: '',
  description: '',
  geometry: 'qsfp28x1',
  links: [newLink(0)],
  interfaces: [],
  addresses: [],
  routes: [],
  peers: [],
}

/** Splits a text at commas and spaces. */
export const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const textOfPolicy = (policy: ImportExportPolicy): string =>
  policy.type === 'allow' ? policy.value.join(', ') : ''
const policyOf = (filters: boolean, text: string): ImportExportPolicy =>
  filters ? { type: 'allow', value: partsOf(text) } : { type: 'no_filtering' }

export const valuesOf = (settings: SwitchPortSettingsDetails): SettingsValues => ({
  name: settings.name,
  description: settings.description,
  geometry: settings.portConfig.geometry,
  links: settings.links.map(({ linkName, speed, mtu, autoneg, fec, lldp, txEq }) => ({
    linkName,
    speed,
    mtu,
    autoneg,
    fec: fec ?? 'default',
    lldp: lldpValuesOf(lldp),
    txEq: {
      main: orNaN(txEq?.main),
      pre1: orNaN(txEq?.pre1),
      pre2: orNaN(txEq?.pre2),
      post1: orNaN(txEq?.post1),
      post2: orNaN(txEq?.post2),
    },
  })),
  interfaces: settings.interfaces.map(({ linkName, kind, v6Enabled }) => ({
    linkName,
    kind: kind.type,
    vid: kind.type === 'vlan' ? kind.vid : Number.NaN,
    v6Enabled,
  })),
  addresses: settings.addresses.flatMap(({ linkName, addresses }) =>
    addresses.map(({ address, addressLot, vlanId }) => ({
      linkName,
      address,
      addressLot,
      vlanId: orNaN(vlanId),
    })),
  ),
  routes: settings.routes.flatMap(({ linkName, routes }) =>
    routes.map(({ dst, gw, vid, ribPriority }) => ({
      linkName,
      dst,
      gw,
      vid: orNaN(vid),
      ribPriority: orNaN(ribPriority),
    })),
  ),
  peers: settings.bgpPeers.flatMap(({ linkName, peers }) =>
    peers.map((peer) => ({
      linkName,
      bgpConfig: peer.bgpConfig,
      kind: peer.addr.type,
      targetAddr: peer.addr.type === 'numbered' ? peer.addr.targetAddr : '',
      srcAddr: (peer.addr.type === 'numbered' && peer.addr.srcAddr) || '',
      routerLifetime: peer.addr.type === 'unnumbered' ? peer.addr.routerLifetime : 0,
      remoteAsn: orNaN(peer.remoteAsn),
      allowedImport: textOfPolicy(peer.allowedImport),
      filtersImport: peer.allowedImport.type === 'allow',
      allowedExport: textOfPolicy(peer.allowedExport),
      filtersExport: peer.allowedExport.type === 'allow',
      communities: peer.communities.join(', '),
      connectRetry: peer.connectRetry,
      delayOpen: peer.delayOpen,
      holdTime: peer.holdTime,
      idleHoldTime: peer.idleHoldTime,
      keepalive: peer.keepalive,
      localPref: orNaN(peer.localPref),
      multiExitDiscriminator: orNaN(peer.multiExitDiscriminator),
      minTtl: orNaN(peer.minTtl),
      vlanId: orNaN(peer.vlanId),
      md5AuthKey: peer.md5AuthKey ?? '',
      enforceFirstAs: peer.enforceFirstAs,
    })),
  ),
})

const byLink = <Entry extends { linkName: string }>(entries: readonly Entry[]) => [
  ...Map.groupBy(entries, ({ linkName }) => linkName),
]

const peerOf = (peer: PeerValues): BgpPeer => ({
  bgpConfig: peer.bgpConfig,
  addr:
    peer.kind === 'numbered'
      ? {
          type: 'numbered',
          targetAddr: peer.targetAddr.trim(),
          srcAddr: peer.srcAddr.trim() || null,
        }
      : { type: 'unnumbered', routerLifetime: peer.routerLifetime },
  allowedImport: policyOf(peer.filtersImport, peer.allowedImport),
  allowedExport: policyOf(peer.filtersExport, peer.allowedExport),
  communities: partsOf(peer.communities).map(Number),
  connectRetry: peer.connectRetry,
  delayOpen: peer.delayOpen,
  holdTime: peer.holdTime,
  idleHoldTime: peer.idleHoldTime,
  keepalive: peer.keepalive,
  enforceFirstAs: peer.enforceFirstAs,
  localPref: orNull(peer.localPref),
  md5AuthKey: peer.md5AuthKey || null,
  minTtl: orNull(peer.minTtl),
  multiExitDiscriminator: orNull(peer.multiExitDiscriminator),
  remoteAsn: orNull(peer.remoteAsn),
  vlanId: orNull(peer.vlanId),
})

export const bodyOf = (values: SettingsValues): SwitchPortSettingsCreate => ({
  name: values.name,
  description: values.description,
  portConfig: { geometry: values.geometry },
  groups: [],
  links: values.links.map(({ linkName, speed, mtu, autoneg, fec, lldp, txEq }) => {
    const equalization = {
      main: orNull(txEq.main),
      pre1: orNull(txEq.pre1),
      pre2: orNull(txEq.pre2),
      post1: orNull(txEq.post1),
      post2: orNull(txEq.post2),
    }
    const isEqualized = Object.values(equalization).some((value) => value !== null)
    return {
      linkName,
      speed,
      mtu,
      autoneg,
      fec: fec === 'default' ? null : fec,
      lldp: lldpOf(lldp),
      ...(isEqualized ? { txEq: equalization } : {}),
    }
  }),
  interfaces: values.interfaces.map(({ linkName, kind, vid, v6Enabled }) => ({
    linkName,
    kind: kind === 'vlan' ? { type: kind, vid } : { type: kind },
    v6Enabled,
  })),
  addresses: byLink(values.addresses).map(([linkName, its]) => ({
    linkName,
    addresses: its.map(({ address, addressLot, vlanId }) => ({
      address: address.trim(),
      addressLot,
      vlanId: orNull(vlanId),
    })),
  })),
  routes: byLink(values.routes).map(([linkName, its]) => ({
    linkName,
    routes: its.map(({ dst, gw, vid, ribPriority }) => ({
      dst: dst.trim(),
      gw: gw.trim(),
      vid: orNull(vid),
      ribPriority: orNull(ribPriority),
    })),
  })),
  bgpPeers: byLink(values.peers).map(([linkName, its]) => ({
    linkName,
    peers: its.map(peerOf),
  })),
})

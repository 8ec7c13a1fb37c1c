import { LIST_MAX } from '../../rules/limits.ts'
import { describeJson } from '../../describe-json.ts'
import { ip, IpNet } from '../../network.ts'
import {
  linkFecs,
  linkSpeeds,
  MD5_KEY_MAX,
  PORT_SETTINGS_ENTRIES_MAX,
  portGeometryNames,
  ROUTER_LIFETIME_MAX,
} from './rules.ts'
import {
  array,
  boolean,
  identity,
  identityCreate,
  integer,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  ruledText,
  scalar,
  type Schema,
  shortText,
  string,
  tagged,
  uint16,
  uint32,
  uint64,
  uint8,
  uuid,
} from '../../schema.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import { changed } from '../../versions.ts'
import { peerChanges, vlanInterfacesChange } from './upgrade.ts'

const orNull = (schema: Schema): Schema => schema.nullable().optional()
const int32 = integer('int32', 'i32', -(2 ** 31), 2 ** 31 - 1)

const SwitchPortGeometry = named('SwitchPortGeometry', oneOf(...portGeometryNames))
const LinkFec = named('LinkFec', oneOf(...linkFecs))
export const LinkSpeed = named('LinkSpeed', oneOf(...linkSpeeds))

const lldpFields = {
  enabled: boolean,
  link_name: orNull(shortText),
  link_description: orNull(shortText),
  chassis_id: orNull(shortText),
  system_name: orNull(shortText),
  system_description: orNull(shortText),
  management_ip: orNull(ip),
}
const LldpLinkConfigCreate = record('LldpLinkConfigCreate', lldpFields)
export const LldpLinkConfig = record('LldpLinkConfig', { id: uuid, ...lldpFields })

const TxEqConfig = record('TxEqConfig', {
  main: orNull(int32),
  post1: orNull(int32),
  post2: orNull(int32),
  pre1: orNull(int32),
  pre2: orNull(int32),
})

const linkFields = {
  link_name: Name,
  mtu: uint16,
  speed: LinkSpeed,
  autoneg: boolean,
  fec: orNull(LinkFec),
}
const LinkConfigCreate = record('LinkConfigCreate', {
  ...linkFields,
  lldp: LldpLinkConfigCreate,
  tx_eq: orNull(TxEqConfig),
})

const SwitchInterfaceKind = named(
  'SwitchInterfaceKind',
  tagged('type', { primary: {}, vlan: { vid: uint16 }, loopback: {} }),
)
const SwitchInterfaceConfigCreate = record('SwitchInterfaceConfigCreate', {
  link_name: Name,
  kind: SwitchInterfaceKind,
  v6_enabled: boolean,
})

const RouteConfig = record('RouteConfig', {
  link_name: Name,
  routes: ruledArray(
    record('Route', {
      dst: IpNet,
      gw: ip,
      vid: orNull(uint16),
      rib_priority: orNull(uint8),
    }),
    PORT_SETTINGS_ENTRIES_MAX,
  ),
})

const RouterLifetimeConfig = named(
  'RouterLifetimeConfig',
  scalar({ type: 'integer', format: 'uint16', minimum: 0, maximum: ROUTER_LIFETIME_MAX }, (value) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= 0 &&
    value <= ROUTER_LIFETIME_MAX
      ? undefined
      : `invalid value: ${describeJson(value)}, expected an integer from 0 to ${ROUTER_LIFETIME_MAX}`,
  ),
)
const RouterPeerType = named(
  'RouterPeerType',
  tagged('type', {
    unnumbered: { router_lifetime: RouterLifetimeConfig },
    numbered: { target_addr: ip, src_addr: ip.nullable().default(null) },
  }),
)
const ImportExportPolicy = named(
  'ImportExportPolicy',
  tagged('type', { no_filtering: {}, allow: { value: array(IpNet, LIST_MAX) } }),
)
const BgpPeer = changed(
  record('BgpPeer', {
    bgp_config: NameOrId,
    addr: RouterPeerType,
    allowed_export: ImportExportPolicy,
    allowed_import: ImportExportPolicy,
    communities: array(uint32, LIST_MAX),
    connect_retry: uint32,
    delay_open: uint32,
    enforce_first_as: boolean,
    hold_time: uint32,
    idle_hold_time: uint32,
    keepalive: uint32,
    local_pref: orNull(uint32),
    md5_auth_key: orNull(ruledText(MD5_KEY_MAX)),
    min_ttl: orNull(uint8),
    multi_exit_discriminator: orNull(uint32),
    remote_asn: orNull(uint32),
    vlan_id: orNull(uint16),
  }),
  ...peerChanges,
)
const BgpPeerConfig = record('BgpPeerConfig', {
  link_name: Name,
  peers: ruledArray(BgpPeer, PORT_SETTINGS_ENTRIES_MAX),
})

const AddressConfig = record('AddressConfig', {
  link_name: Name,
  addresses: ruledArray(
    record('Address', { address: IpNet, address_lot: NameOrId, vlan_id: orNull(uint16) }),
    PORT_SETTINGS_ENTRIES_MAX,
  ),
})

const portConfig = record('SwitchPortConfigCreate', { geometry: SwitchPortGeometry })

/** All parts of a document except its name. */
const documentFields = {
  port_config: portConfig,
  links: ruledArray(LinkConfigCreate, PORT_SETTINGS_ENTRIES_MAX),
  interfaces: ruledArray(SwitchInterfaceConfigCreate, PORT_SETTINGS_ENTRIES_MAX),
  addresses: array(AddressConfig, LIST_MAX),
  routes: array(RouteConfig, LIST_MAX),
  bgp_peers: array(BgpPeerConfig, LIST_MAX),
}
export const SwitchPortSettingsCreate = record('SwitchPortSettingsCreate', {
  ...identityCreate,
  ...documentFields,
  groups: array(NameOrId, LIST_MAX).default([]),
  interfaces: documentFields.interfaces.default([]),
  routes: documentFields.routes.default([]),
  bgp_peers: documentFields.bgp_peers.default([]),
})

const its = { port_settings_id: uuid }
export const SwitchPortSettings = changed(
  record('SwitchPortSettings', {
    ...identity,
    groups: list(record('SwitchPortSettingsGroups', { ...its, port_settings_group_id: uuid })),
    port: record('SwitchPortConfig', { ...its, geometry: SwitchPortGeometry }),
    links: list(
      record('SwitchPortLinkConfig', {
        ...its,
        ...linkFields,
        lldp_link_config: orNull(LldpLinkConfig),
        tx_eq_config: orNull(TxEqConfig),
      }),
    ),
    interfaces: list(
      record('SwitchInterfaceConfig', {
        ...its,
        id: uuid,
        interface_name: Name,
        kind: SwitchInterfaceKind,
        v6_enabled: boolean,
      }),
    ),
    routes: list(
      record('SwitchPortRouteConfig', {
        ...its,
        interface_name: Name,
        dst: IpNet,
        gw: ip,
        vlan_id: orNull(uint16),
        rib_priority: orNull(uint8),
      }),
    ),
    bgp_peers: list(BgpPeer),
    addresses: list(
      record('SwitchPortAddressView', {
        ...its,
        address: IpNet,
        address_lot_id: uuid,
        address_lot_block_id: uuid,
        address_lot_name: Name,
        interface_name: Name,
        vlan_id: orNull(uint16),
      }),
    ),
  }),
  vlanInterfacesChange,
)

export const SwitchPortSettingsIdentity = record('SwitchPortSettingsIdentity', identity)

/** Settings with a summary, for the list. */
export const SwitchPortSettingsSummary = record('SwitchPortSettingsSummary', {
  ...identity,
  geometry: SwitchPortGeometry,
  /** Speed of the first link; null without links. */
  speed: LinkSpeed.nullable(),
  link_count: uint64,
  address_count: uint64,
  route_count: uint64,
  peer_count: uint64,
  /** Number of ports that use them. */
  port_count: uint64,
})

/** Settings as written, with names for ids, and the ports that use them. */
export const SwitchPortSettingsDetails = record('SwitchPortSettingsDetails', {
  ...identity,
  ...documentFields,
  ports: list(
    record('SwitchPortOfSettings', {
      id: uuid,
      name: string,
      port_name: Name,
      rack_id: uuid,
      switch_slot: SwitchSlot,
    }),
  ),
})

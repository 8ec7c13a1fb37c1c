import { describeJson } from '../../describe-json.ts'
import { ip, IpNet, ipv4, Ipv4Net } from '../../network.ts'
import {
  ANNOUNCEMENTS_MAX,
  BGP_PATHS_DEFAULT,
  BGP_PATHS_MAX,
  BGP_PATHS_MIN,
  bgpPeerStates,
} from './rules.ts'
import {
  answerMap,
  anything,
  identity,
  identityCreate,
  identityUpdate,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  scalar,
  string,
  uint32,
  uint64,
  uuid,
} from '../../schema.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import { switchSlots } from '../../hardware/sleds/hardware.ts'

const MaxPathConfig = named(
  'MaxPathConfig',
  scalar(
    { type: 'integer', format: 'uint8', minimum: BGP_PATHS_MIN, maximum: BGP_PATHS_MAX },
    (value) =>
      typeof value === 'number' &&
      Number.isInteger(value) &&
      value >= BGP_PATHS_MIN &&
      value <= BGP_PATHS_MAX
        ? undefined
        : `invalid value: ${describeJson(value)}, expected an integer from ${BGP_PATHS_MIN} to ${BGP_PATHS_MAX}`,
  ),
)

const configFields = {
  ...identity,
  asn: uint32,
  vrf: string.nullable().optional(),
  max_paths: MaxPathConfig,
}
export const BgpConfig = record('BgpConfig', configFields)
export const BgpConfigCreate = record('BgpConfigCreate', {
  ...identityCreate,
  asn: uint32,
  bgp_announce_set_id: NameOrId,
  vrf: Name.nullable().optional(),
  max_paths: MaxPathConfig.default(BGP_PATHS_DEFAULT),
})
export const BgpConfigUpdate = record('BgpConfigUpdate', {
  ...identityUpdate,
  bgp_announce_set_id: NameOrId.nullable().optional(),
  max_paths: MaxPathConfig.nullable().optional(),
})

/** A configuration with its announcements and the number of its peers. */
export const BgpConfigDetails = record('BgpConfigDetails', {
  ...configFields,
  bgp_announce_set_id: uuid,
  bgp_announce_set_name: Name,
  peer_count: uint64,
})

export const BgpAnnounceSet = record('BgpAnnounceSet', identity)
export const BgpAnnounceSets = list(BgpAnnounceSet)
const BgpAnnouncementCreate = record('BgpAnnouncementCreate', {
  address_lot_block: NameOrId,
  network: IpNet,
})
export const BgpAnnounceSetCreate = record('BgpAnnounceSetCreate', {
  ...identityCreate,
  announcement: ruledArray(BgpAnnouncementCreate, ANNOUNCEMENTS_MAX),
})
const announcementFields = {
  announce_set_id: uuid,
  address_lot_block_id: uuid,
  network: IpNet,
}
export const BgpAnnouncements = list(record('BgpAnnouncement', announcementFields))

/** A set with a summary of its networks, for the list. */
export const BgpAnnounceSetSummary = record('BgpAnnounceSetSummary', {
  ...identity,
  /** The network with the lowest address; null for an empty set. */
  first_network: IpNet.nullable(),
  announcement_count: uint64,
  config_count: uint64,
})

/** A set with its networks and their lots. */
export const BgpAnnounceSetDetails = record('BgpAnnounceSetDetails', {
  ...identity,
  announcements: list(
    record('BgpAnnouncementDetails', {
      ...announcementFields,
      address_lot_id: uuid,
      address_lot_name: Name,
    }),
  ),
  /** Configurations that announce it. */
  bgp_configs: list(record('BgpConfigName', { id: uuid, name: Name, asn: uint32 })),
})

const BgpPeerState = named('BgpPeerState', oneOf(...bgpPeerStates))
export const BgpPeerStatuses = list(
  record('BgpPeerStatus', {
    addr: ip,
    local_asn: uint32,
    peer_id: string,
    remote_asn: uint32,
    state: BgpPeerState,
    state_duration_millis: uint64,
    switch: SwitchSlot,
  }),
)
export const BgpExportedRoutes = list(
  record('BgpExported', { peer_id: string, prefix: IpNet, switch: SwitchSlot }),
)
export const BgpImportedRoutes = list(
  record('BgpImported', { id: uint32, nexthop: ip, prefix: IpNet, switch: SwitchSlot }),
)
/** Former name of a switch slot. */
const SwitchLocation = named('SwitchLocation', oneOf(...switchSlots))
export const BgpImportedRoutesIpv4 = list(
  record('BgpImportedRouteIpv4', {
    id: uint32,
    nexthop: ipv4,
    prefix: Ipv4Net,
    switch: SwitchLocation,
  }),
)

/** Message history of a session, as the engine keeps it: `{ received: […], sent: […] }`. */
const BgpMessageHistory = named('BgpMessageHistory', anything)
export const AggregateBgpMessageHistory = record('AggregateBgpMessageHistory', {
  switch_histories: list(
    record('SwitchBgpHistory', { history: answerMap(BgpMessageHistory), switch: SwitchSlot }),
  ),
})

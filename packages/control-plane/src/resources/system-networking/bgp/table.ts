import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface BgpConfigTable extends Listed, SoftDeleted {
  /** All configurations are in one list, the fleet's; so are all announce sets. */
  fleet_id: string
  asn: number
  bgp_announce_set_id: string
  vrf: string | null
  max_paths: number
}

export interface BgpAnnounceSetTable extends Listed, SoftDeleted {
  fleet_id: string
}

export interface BgpAnnouncementTable {
  announce_set_id: string
  address_lot_block_id: string
  network: string
  /** Fixed-width hex of the first address. */
  first_key: string
}

/** A peer of port settings; the switch on whose port they are applied has a session with it. */
export interface BgpPeerTable {
  id: string
  port_settings_id: string
  /** The link through which it is reached. */
  link_name: string
  bgp_config_id: string
  /** Position among the peers of its settings. */
  position: number
  /** JSON, the peer as in the contract. */
  peer: string
  /** The time of its last change; the port may have got its settings later. */
  time_configured: string
}

/** The column `peer`. */
export const storedPeer = jsonColumn<Omit<Wire.BgpPeer, 'bgp_config'>>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    bgp_config: BgpConfigTable
    bgp_announce_set: BgpAnnounceSetTable
    bgp_announcement: BgpAnnouncementTable
    bgp_peer: BgpPeerTable
  }
}

export const bgpConfigTables: StoredTables = {
  bgp_config: {
    marked: true,
    within: { bgp_announce_set_id: 'bgp_announce_set' },
    names: { bgp_config_name: kinds.bgp_config.type },
  },
  bgp_announce_set: {
    marked: true,
    names: { bgp_announce_set_name: kinds.bgp_announce_set.type },
  },
  bgp_announcement: {
    within: { announce_set_id: 'bgp_announce_set', address_lot_block_id: 'address_lot_block' },
  },
  bgp_peer: {
    within: { bgp_config_id: 'bgp_config', port_settings_id: 'switch_port_settings' },
  },
}

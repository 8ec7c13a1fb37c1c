import { announcedPrefix } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { ConfiguredPeer, PeerSettings } from '../../../kernel/ports/uplinks.ts'
import { documentOf } from '../switch-port-settings/wire.ts'
import { announcementsOf } from './announcements.ts'
import './table.ts'
import { storedPeer } from './table.ts'

/** The peers of port settings, once for each port to which the settings are applied. */
const appliedPeers = (db: Db) =>
  db
    .selectFrom('bgp_peer as peer')
    .innerJoin('switch_port as port', 'port.port_settings_id', 'peer.port_settings_id')
    .innerJoin('bgp_config as config', 'config.id', 'peer.bgp_config_id')
    .innerJoin('switch_port_settings as settings', 'settings.id', 'peer.port_settings_id')

const later = (one: string, other: string) => new Date(one > other ? one : other)

/**
 * The peers that switches have sessions with, and the networks announced to them.
 * @param asn of the switches; all by default
 */
export async function configuredPeers(db: Db, asn?: number): Promise<ConfiguredPeer[]> {
  let rows = appliedPeers(db)
    .select([
      'port.switch_slot',
      'port.port_name',
      'port.time_applied',
      'settings.id as settings_id',
      'settings.document',
      'peer.link_name',
      'peer.peer',
      'peer.time_configured',
      'config.asn',
      'config.vrf',
      'config.max_paths',
      'config.bgp_announce_set_id',
    ])
    .orderBy('port.name_key')
    .orderBy('peer.position')
  if (asn !== undefined) rows = rows.where('config.asn', '=', asn)
  const peers = await rows.execute()
  const sets = [...new Set(peers.map(({ bgp_announce_set_id }) => bgp_announce_set_id))]
  const announced = await announcementsOf(db, sets)
  const documents = new Map(peers.map((row) => [row.settings_id, documentOf(row)]))
  const positionOf = (id: string, name: string): number =>
    documents.get(id)!.links.findIndex(({ link_name }) => link_name === name)
  return peers.map((row) => ({
    switch: row.switch_slot,
    port: row.port_name,
    interface: `${row.port_name}-${row.link_name}`,
    link: row.link_name,
    // A peer of an interface that is no link is reached by the first one.
    position: Math.max(0, positionOf(row.settings_id, row.link_name)),
    localAsn: row.asn,
    maxPaths: row.max_paths,
    vrf: row.vrf,
    settings: storedPeer.read(row.peer) as PeerSettings,
    networks: [
      ...new Set(
        announced.get(row.bgp_announce_set_id)?.map(({ network }) => announcedPrefix(network)),
      ),
    ],
    since: later(row.time_applied!, row.time_configured),
  }))
}

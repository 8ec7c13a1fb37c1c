import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, table } from './build.ts'

const sorts = { natural_name: 'name_key', description: 'description', created: 'time_created' }

/** The indexes of a fleet-wide list. */
async function fleetList(db: Kysely<unknown>, name: string): Promise<void> {
  const where = { where: live }
  await index(db, `${name}_name`, name, ['name'], { unique: true, ...where })
  await index(db, `${name}_by_name`, name, ['fleet_id', 'name'], where)
  for (const [sort, column] of Object.entries(sorts)) {
    await index(db, `${name}_by_${sort}`, name, ['fleet_id', column, 'id'], where)
  }
  const searched = ['fleet_id', 'name', 'description', 'time_deleted', 'id']
  await index(db, `${name}_search`, name, searched, { where: `${live} and name <> ''` })
}

/** BGP configurations, announce sets, and the peers of port settings. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const ofFleet = { ...listed, time_deleted: 'text?', fleet_id: 'text' }
  const config = {
    ...ofFleet,
    asn: 'bigint',
    bgp_announce_set_id: 'text',
    vrf: 'text?',
    max_paths: 'int',
  }
  await table(db, dialect, 'bgp_config', config, ['id'])
  await fleetList(db, 'bgp_config')
  await index(db, 'bgp_config_asn', 'bgp_config', ['fleet_id', 'asn'], {
    unique: true,
    where: live,
  })
  await index(db, 'bgp_config_announce_set', 'bgp_config', ['bgp_announce_set_id'])
  await table(db, dialect, 'bgp_announce_set', ofFleet, ['id'])
  await fleetList(db, 'bgp_announce_set')
  const announcement = {
    announce_set_id: 'text',
    address_lot_block_id: 'text',
    network: 'text',
    first_key: 'text',
  }
  await table(db, dialect, 'bgp_announcement', announcement, ['announce_set_id', 'network'])
  await index(db, 'bgp_announcement_block', 'bgp_announcement', ['address_lot_block_id'])
  const peer = {
    id: 'text',
    port_settings_id: 'text',
    link_name: 'text',
    bgp_config_id: 'text',
    peer: 'text',
  }
  await table(db, dialect, 'bgp_peer', peer, ['id'])
  await index(db, 'bgp_peer_settings', 'bgp_peer', ['port_settings_id'])
  await index(db, 'bgp_peer_config', 'bgp_peer', ['bgp_config_id'])
}

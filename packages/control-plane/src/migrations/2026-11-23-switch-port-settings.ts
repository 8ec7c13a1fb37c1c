import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, table } from './build.ts'

/**
 * Settings of switch ports, and the tables that refer to them. The old tables of ports and peers
 * were never written, so they are recreated.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.dropTable('switch_port').execute()
  await db.schema.dropTable('bgp_peer').execute()

  const settings = {
    ...listed,
    time_deleted: 'text?',
    fleet_id: 'text',
    geometry: 'text',
    use: 'text',
    document: 'text',
  }
  await table(db, dialect, 'switch_port_settings', settings, ['id'])
  const ofSettings = (name: string, columns: string[], options = {}) =>
    index(db, `switch_port_settings_${name}`, 'switch_port_settings', columns, {
      where: live,
      ...options,
    })
  await ofSettings('name', ['name'], { unique: true })
  await ofSettings('by_name', ['fleet_id', 'name'])
  const columns = {
    natural_name: 'name_key',
    description: 'description',
    created: 'time_created',
    // Filters, not sorts.
    geometry: 'geometry',
    use: 'use',
  }
  for (const [sort, column] of Object.entries(columns)) {
    await ofSettings(`by_${sort}`, ['fleet_id', column, 'id'])
  }
  const searched = ['fleet_id', 'name', 'description', 'geometry', 'use', 'time_deleted', 'id']
  await ofSettings('search', searched, { where: `${live} and name <> ''` })

  const port = {
    id: 'text',
    fleet_id: 'text',
    rack_id: 'text',
    switch_slot: 'text',
    port_name: 'text',
    name: 'text',
    name_key: 'text',
    port_settings_id: 'text?',
    time_applied: 'text?',
  }
  await table(db, dialect, 'switch_port', port, ['id'])
  const ofPorts = (name: string, on: string[], options = {}) =>
    index(db, `switch_port_${name}`, 'switch_port', on, options)
  await ofPorts('place', ['rack_id', 'switch_slot', 'port_name'], { unique: true })
  await ofPorts('applied', ['port_settings_id'])
  await ofPorts('found', ['name'])
  const isConfigured = "coalesce(port_settings_id, '')"
  const sorts = {
    name: 'name',
    natural_name: 'name_key',
    time_applied: "coalesce(time_applied, '')",
    slot: 'switch_slot',
    settings: 'port_settings_id',
    configured: isConfigured,
  }
  for (const [sort, column] of Object.entries(sorts)) {
    await ofPorts(`by_${sort}`, ['fleet_id', column, 'id'])
  }
  const found = ['fleet_id', 'name', 'switch_slot', 'port_settings_id', isConfigured, 'id']
  await ofPorts('search', found, { where: "name <> ''" })

  const peer = {
    id: 'text',
    port_settings_id: 'text',
    link_name: 'text',
    position: 'int',
    bgp_config_id: 'text',
    peer: 'text',
    time_configured: 'text',
  }
  await table(db, dialect, 'bgp_peer', peer, ['id'])
  await index(db, 'bgp_peer_settings', 'bgp_peer', ['port_settings_id'])
  await index(db, 'bgp_peer_config', 'bgp_peer', ['bgp_config_id'])
}

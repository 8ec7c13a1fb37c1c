import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** The ports of switches. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const port = {
    id: 'text',
    rack_id: 'text',
    switch_slot: 'text',
    port_name: 'text',
    port_settings_id: 'text?',
    time_applied: 'text?',
  }
  await table(db, dialect, 'switch_port', port, ['id'])
  await index(db, 'switch_port_place', 'switch_port', ['rack_id', 'switch_slot', 'port_name'], {
    unique: true,
  })
  await index(db, 'switch_port_settings', 'switch_port', ['port_settings_id'])
}

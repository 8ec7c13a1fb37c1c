import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** The loopback addresses of switches. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    fleet_id: 'text',
    rack_id: 'text',
    switch_slot: 'text',
    address: 'text',
    address_lot_block_id: 'text',
    anycast: 'int',
    time_created: 'text',
  }
  await table(db, dialect, 'loopback_address', columns, ['id'])
  await index(
    db,
    'loopback_address_switch',
    'loopback_address',
    ['rack_id', 'switch_slot', 'address'],
    { unique: true },
  )
}

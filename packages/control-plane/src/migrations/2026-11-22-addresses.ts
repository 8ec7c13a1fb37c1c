import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

/**
 * Tables for the free addresses of pools and subnets, and for the free quarters of addresses that
 * outbound translation shares. They are filled for a pool or a subnet when its next address is
 * allocated.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(db, dialect, 'address_space', { id: 'text', ranges: 'text' }, ['id'])
  await table(
    db,
    dialect,
    'free_address',
    { space_id: 'text', first_key: 'text', last_key: 'text' },
    ['space_id', 'first_key'],
    { space_id: 'address_space' },
  )
  await table(
    db,
    dialect,
    'free_snat',
    { ip_pool_id: 'text', ip_key: 'text', first_port: 'int' },
    ['ip_pool_id', 'ip_key', 'first_port'],
    { ip_pool_id: 'address_space' },
  )
}

import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Simulated storage pools, and the volumes that are in them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(db, dialect, 'simulated_pool', { id: 'text', path: 'text' }, ['id'])
  const columns = {
    volume_id: 'text',
    pool_id: 'text?',
    destination: 'text?',
    moves_since: 'bigint?',
  }
  await table(db, dialect, 'simulated_volume_pool', columns, ['volume_id'])
}

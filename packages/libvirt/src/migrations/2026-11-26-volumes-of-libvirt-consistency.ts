import type { Kysely } from 'kysely'
import type { Database } from '@steading/control-plane/engine'

/**
 * The consistency of snapshots in the words of the contract. It did not tell volumes at rest from
 * guests that held writes back, so earlier snapshots get the least that holds.
 */
export async function up(db: Kysely<Database>): Promise<void> {
  await db
    .updateTable('libvirt_volume')
    .set({ consistency: 'crash_consistent' })
    .where('consistency', 'is not', null)
    .execute()
}

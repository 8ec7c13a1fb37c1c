import { FLEET_ID } from '@steading/api/rules'
import type { Db } from '../../src/kernel/db/database.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'
import type { Row } from '../../src/kernel/kinds.ts'
import { named } from '../../src/kernel/search/name-key.ts'

/** A storage pool that the reconciler does not look at. */
export async function addPoolRow(
  db: Db,
  name: string,
  values: Partial<Row<'storage_pool'>> = {},
): Promise<Row<'storage_pool'>> {
  const time = new Date().toISOString()
  return db
    .insertInto('storage_pool')
    .values({
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      ...named(name),
      description: '',
      type: 'directory',
      path: `/mnt/sim-${name}`,
      source: null,
      built_in: 0,
      is_default: 0,
      state: 'healthy',
      problem: null,
      size: 0,
      free: null,
      used: 0,
      reclaimable: 0,
      time_checked: null,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      reconcile_at: null,
      ...unclaimed,
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

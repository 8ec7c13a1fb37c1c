import { FIRST_STORAGE_POOL, FLEET_ID } from '@steading/api/rules'
import type { Db, OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { writingIn } from '../../../kernel/work.ts'
import type { StoragePools } from '../../../kernel/ports/storage-pools.ts'
import { lookAt, type PoolParts, writeHosts } from './look.ts'
import { roomOfDisks } from './room.ts'

const isSetUp = (db: Db) =>
  db.selectFrom('storage_pool').select('id').where('built_in', '=', 1).executeTakeFirst()

/**
 * Puts the disks and snapshots of a version without pools into the first one. Their room was that of
 * physical disks, of which an engine with directories has none.
 */
async function adopt(tx: Tx, poolId: string, now: Date): Promise<void> {
  for (const table of ['disk', 'snapshot'] as const) {
    await tx
      .updateTable(table)
      .set({ storage_pool_id: poolId })
      .where('storage_pool_id', 'is', null)
      .execute()
  }
  await changeRow(tx, 'storage_pool', poolId, await roomOfDisks(tx, poolId))
  const disks = await tx.selectFrom('physical_disk').selectAll().execute()
  await tx.deleteFrom('disk_replica').execute()
  await tx.deleteFrom('physical_disk').execute()
  for (const disk of disks) await writingIn(tx, now).emit('physical_disk', 'delete', disk)
}

/**
 * Adds the pool that the engine has by itself, at the first start with it. Later starts write its
 * directory, which may have moved together with the data.
 */
export async function setUpStoragePools(
  { db, transaction }: OpenDatabase,
  { storagePools, ...parts }: Omit<PoolParts, 'storagePools'> & { storagePools?: StoragePools },
  now: Date,
): Promise<void> {
  if (!storagePools) return
  const { type, path } = storagePools.first
  const known = await isSetUp(db)
  if (known) {
    await db.updateTable('storage_pool').set({ path }).where('id', '=', known.id).execute()
    return
  }
  const id = crypto.randomUUID()
  const place = { id, built_in: 1, type, path, source: null } as const
  const { values, hosts } = await lookAt(db, { storagePools, ...parts }, place)
  const time = now.toISOString()
  await transaction(async (tx) => {
    // Another server may have set it up meanwhile.
    if (await isSetUp(tx)) return
    await tx
      .insertInto('storage_pool')
      .values({
        ...place,
        ...named(FIRST_STORAGE_POOL),
        description: '',
        fleet_id: FLEET_ID,
        is_default: 1,
        size: 0,
        used: 0,
        reclaimable: 0,
        ...values,
        time_checked: time,
        time_created: time,
        time_modified: time,
        time_deleted: null,
        reconcile_at: time,
        ...unclaimed,
      })
      .execute()
    await writeHosts(tx, id, hosts)
    if (type === 'directory') await adopt(tx, id, now)
  })
}

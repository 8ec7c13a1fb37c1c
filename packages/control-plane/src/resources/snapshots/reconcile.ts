import type { Db } from '../../kernel/db/database.ts'
import { emitTo } from '../../kernel/work.ts'
import type { SnapshotRow } from './change.ts'
import type { Step } from '../../kernel/reconciler.ts'

/** When to look again for somebody who still needs what shall be removed. */
const WAIT_MS = 200

/** Whether a disk is being made of a snapshot, or of an image that shares its bytes. */
async function feedsDisk(db: Db, snapshotId: string): Promise<boolean> {
  const disk = await db
    .selectFrom('disk')
    .select('id')
    .where('state', '=', 'creating')
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or([
        eb('snapshot_id', '=', snapshotId),
        eb(
          'image_id',
          'in',
          eb.selectFrom('image').select('id').where('snapshot_id', '=', snapshotId),
        ),
      ]),
    )
    .executeTakeFirst()
  return disk !== undefined
}

async function hasImage(db: Db, snapshotId: string): Promise<boolean> {
  const image = await db
    .selectFrom('image')
    .select('id')
    .where('snapshot_id', '=', snapshotId)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return image !== undefined
}

/** Frees the bytes of a deleted snapshot, unless somebody needs them. */
async function release({ engine, database, now }: Step, row: SnapshotRow): Promise<void> {
  const set = (db: Db, values: { reconcile_at: string | null; has_volume?: 0 }) =>
    db.updateTable('snapshot').set(values).where('id', '=', row.id).execute()
  // In one transaction: an image that ends in between leaves either itself or its disks to be seen.
  const needed = await database.transaction(async (tx) => {
    if (await feedsDisk(tx, row.id)) {
      await set(tx, { reconcile_at: new Date(now.getTime() + WAIT_MS).toISOString() })
      return true
    }
    if (!(await hasImage(tx, row.id))) return false
    // The end of the last image asks for this again.
    await set(tx, { reconcile_at: null })
    return true
  })
  if (needed) return
  await engine.deleteSnapshot(row.id)
  await set(database.db, { reconcile_at: null, has_volume: 0 })
}

/** Takes a new snapshot, frees a deleted one. */
export async function reconcileSnapshot(step: Step, row: SnapshotRow): Promise<void> {
  const { engine, database, imports, now } = step
  if (row.time_deleted !== null) return release(step, row)
  if (row.state === 'creating') {
    // The snapshot that an import ends with holds its last chunk, too.
    await imports.drained(row.disk_id)
    await engine.createSnapshot(row.id, row.disk_id)
    await database.concurrently(async (tx) => {
      const ready = await tx
        .updateTable('snapshot')
        .set({ state: 'ready', has_volume: 1, reconcile_at: null })
        .where('id', '=', row.id)
        .where('state', '=', 'creating')
        .returningAll()
        .executeTakeFirst()
      if (ready) await emitTo(tx, now)('snapshot', 'update', ready)
    })
    return
  }
  await database.db
    .updateTable('snapshot')
    .set({ reconcile_at: null })
    .where('id', '=', row.id)
    .where('time_deleted', 'is', null)
    .execute()
}

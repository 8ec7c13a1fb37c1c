import type { Row } from '../../../kernel/kinds.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { writingIn } from '../../../kernel/work.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ImportLock } from '../../../kernel/import-lock.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { deleteOrphanedBytes } from '../../../kernel/orphaned-bytes.ts'
import { isUnconverted } from '../disks/conversion.ts'
import { isKept, isKeptNow } from '../../workspace/deleted-resources/keep.ts'
import { snapshotsWithBytes } from './with-bytes.ts'

/** The dependencies of the reconciliation of snapshots. */
export interface SnapshotParts {
  database: OpenDatabase
  volumes: Volumes
  imports: ImportLock
}
type SnapshotStep = Step<'snapshot'> & SnapshotParts

/**
 * Interval for checking whether the bytes of a deleted snapshot are still needed, or those of a disk
 * are there, in milliseconds.
 */
const WAIT_MS = 200

/**
 * Whether a disk is being made of a snapshot, or of an image that shares its bytes, or becomes the
 * snapshot again.
 */
async function isSourceOfDisk(db: Db, snapshotId: string): Promise<boolean> {
  const disk = await db
    .selectFrom('disk')
    .select('id')
    .where('state', 'in', ['creating', 'maintenance'])
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or([
        eb('rollback_snapshot_id', '=', snapshotId),
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

/** Whether an image needs the bytes of a snapshot, also one that can be restored. */
async function hasImage(db: Db, snapshotId: string): Promise<boolean> {
  const image = await db
    .selectFrom('image')
    .select('id')
    .where('snapshot_id', '=', snapshotId)
    .where((eb) => eb.or([eb('time_deleted', 'is', null), isKept()]))
    .executeTakeFirst()
  return image !== undefined
}

/** Frees the bytes of a deleted snapshot, unless they are needed. */
async function release(step: SnapshotStep, row: Row<'snapshot'>): Promise<void> {
  const { volumes, database, now } = step
  // One transaction, so that an image deleted meanwhile cannot hide both itself and its disks.
  const needed = await database.transaction(async (tx) => {
    if (await isKeptNow(tx, row)) {
      await step.end(tx, null)
      return true
    }
    if (await isSourceOfDisk(tx, row.id)) {
      await step.end(tx, new Date(now.getTime() + WAIT_MS))
      return true
    }
    if (!(await hasImage(tx, row.id))) return false
    // The deletion of the last image sets the alarm again.
    await step.end(tx, null)
    return true
  })
  if (needed) return
  await volumes.deleteSnapshot(row.id, step.fence)
  // No transaction depends on this column of a deleted snapshot.
  await step.end(database.db, null, { values: { has_volume: 0 }, unchanged: {} })
}

async function create(step: SnapshotStep, row: Row<'snapshot'>): Promise<void> {
  const { volumes, database, imports, now } = step
  // The snapshot at the end of an import must include its last chunk.
  await imports.drained(row.disk_id)
  if (await isUnconverted(database.db, volumes, row.disk_id)) {
    return step.end(database.db, new Date(now.getTime() + WAIT_MS))
  }
  // Requested with the new size of a disk whose volume is still to get it.
  const disk = await findRow(database.db, 'disk', row.disk_id, 'growing', 'size')
  if (disk?.growing === 1 && disk.size === row.size) {
    return step.end(database.db, new Date(now.getTime() + WAIT_MS))
  }
  const { consistency } = await volumes.createSnapshot(row.id, row.disk_id, step.fence)
  await database.concurrently(async (tx) => {
    const ready = await step.end(tx, null, {
      values: { state: 'ready', has_volume: 1, consistency },
      unchanged: { state: 'creating' },
    })
    if (ready) await writingIn(tx, now).emit('snapshot', 'update', ready)
  })
}

async function reconcileSnapshot(step: SnapshotStep, row: Row<'snapshot'>): Promise<void> {
  if (row.time_deleted !== null) return release(step, row)
  if (row.state === 'creating') return create(step, row)
}

/** Takes new snapshots, and frees the bytes of deleted ones. */
export const snapshotReconciliation = (parts: SnapshotParts): Reconciliation<'snapshot'> => ({
  table: 'snapshot',
  reconcile: (step, row) => reconcileSnapshot({ ...step, ...parts }, row),
  async resync() {
    const { volumes, database } = parts
    const owners = snapshotsWithBytes(database.db)
    await deleteOrphanedBytes(await volumes.listSnapshots(), owners, (id) =>
      volumes.deleteSnapshot(id),
    )
  },
})

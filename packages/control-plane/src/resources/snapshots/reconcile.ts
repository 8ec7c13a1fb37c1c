import type { Db } from '../../kernel/db/database.ts'
import type { SnapshotRow } from './change.ts'
import { emitTo } from '../../kernel/work.ts'
import type { OpenDatabase } from '../../kernel/db/database.ts'
import type { Volumes } from '../../kernel/ports/volumes.ts'
import type { Reconciliation, Step } from '../../kernel/reconciler.ts'
import type { ImportGate } from '../../kernel/import-gate.ts'
import { removeOrphans } from '../../kernel/orphans.ts'
import { snapshotsWithBytes } from './orphans.ts'

/** What reconciling snapshots needs. */
export interface SnapshotParts {
  database: OpenDatabase
  volumes: Volumes
  imports: ImportGate
}
type SnapshotStep = Step & SnapshotParts

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

/** Frees the bytes of a deleted snapshot, unless something needs them. */
async function release(step: SnapshotStep, row: SnapshotRow): Promise<void> {
  const { volumes, database, now } = step
  // In one transaction: an image that ends in between leaves either itself or its disks to be seen.
  const needed = await database.transaction(async (tx) => {
    if (await feedsDisk(tx, row.id)) {
      await step.end(tx, new Date(now.getTime() + WAIT_MS))
      return true
    }
    if (!(await hasImage(tx, row.id))) return false
    // The end of the last image asks for this again.
    await step.end(tx, null)
    return true
  })
  if (needed) return
  await volumes.deleteSnapshot(row.id)
  await database.concurrently(async (tx) => {
    await step.end(tx, null)
    await tx.updateTable('snapshot').set({ has_volume: 0 }).where('id', '=', row.id).execute()
  })
}

async function create(step: SnapshotStep, row: SnapshotRow): Promise<void> {
  const { volumes, database, imports, now } = step
  // The snapshot that an import ends with holds its last chunk, too.
  await imports.drained(row.disk_id)
  await volumes.createSnapshot(row.id, row.disk_id)
  await database.concurrently(async (tx) => {
    await step.end(tx, null)
    const ready = await tx
      .updateTable('snapshot')
      .set({ state: 'ready', has_volume: 1 })
      .where('id', '=', row.id)
      .where('state', '=', 'creating')
      .returningAll()
      .executeTakeFirst()
    if (ready) await emitTo(tx, now)('snapshot', 'update', ready)
  })
}

async function reconcileSnapshot(step: SnapshotStep, row: SnapshotRow): Promise<void> {
  if (row.time_deleted !== null) return release(step, row)
  if (row.state === 'creating') return create(step, row)
}

/** Takes a new snapshot, frees a deleted one. */
export const snapshotReconciliation = (parts: SnapshotParts): Reconciliation<'snapshot'> => ({
  table: 'snapshot',
  reconcile: (step, row) => reconcileSnapshot({ ...step, ...parts }, row),
  async survey() {
    const { volumes, database } = parts
    const owners = snapshotsWithBytes(database.db)
    await removeOrphans(await volumes.listSnapshots(), owners, volumes.deleteSnapshot)
  },
})

import type { Db } from '../../kernel/db/database.ts'
import { changeDisk } from './change.ts'
import type { DiskRow } from './view.ts'
import type { Step } from '../../kernel/reconciler.ts'

/** When to look again for something a disk waits for. */
const WAIT_MS = 200

/** The snapshot whose bytes a disk begins with: its own source, or that of its image. */
async function sourceOf(db: Db, row: DiskRow) {
  const snapshots = db.selectFrom('snapshot').select(['id', 'state', 'has_volume'])
  if (row.snapshot_id) return snapshots.where('id', '=', row.snapshot_id).executeTakeFirst()
  if (!row.image_id) return undefined
  return snapshots
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('image')
        .select('image.snapshot_id')
        .where('image.id', '=', row.image_id)
        .where('image.snapshot_id', 'is not', null)
        .$castTo<{ snapshot_id: string }>(),
    )
    .executeTakeFirst()
}

/** Snapshots that are being taken of a disk. */
const beingTaken = (db: Db, row: DiskRow): Promise<{ id: string }[]> =>
  db
    .selectFrom('snapshot')
    .select('id')
    .where('disk_id', '=', row.id)
    .where('state', '=', 'creating')
    .execute()

async function lookAgain({ database, now }: Step, row: DiskRow): Promise<void> {
  await database.db
    .updateTable('disk')
    .set({ reconcile_at: new Date(now.getTime() + WAIT_MS).toISOString() })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .execute()
}

async function create(step: Step, row: DiskRow): Promise<void> {
  const { engine, database, now } = step
  let source = await sourceOf(database.db, row)
  if (source?.state === 'creating') {
    await step.first('snapshot', source.id)
    source = await sourceOf(database.db, row)
    if (source?.state === 'creating') return lookAgain(step, row)
  }
  await engine.createVolume(row.id, {
    size: row.size,
    blockSize: row.block_size,
    ...(source?.has_volume ? { source: source.id } : {}),
  })
  const state = row.importing ? 'import_ready' : row.instance_id ? 'attached' : 'detached'
  await database.concurrently((tx) =>
    changeDisk(tx, row, { state, has_volume: 1, reconcile_at: null }, now),
  )
}

/** The last chunk is in: takes the snapshot that was asked for, and hands the disk over. */
async function finalize(step: Step, row: DiskRow): Promise<void> {
  const { engine, database, imports, now } = step
  await imports.drained(row.id)
  for (const { id } of await beingTaken(database.db, row)) await step.first('snapshot', id)
  if ((await beingTaken(database.db, row)).length > 0) return lookAgain(step, row)
  await engine.sealVolume(row.id)
  await database.concurrently((tx) =>
    changeDisk(tx, row, { state: 'detached', reconcile_at: null }, now),
  )
}

/** Frees the bytes of a deleted disk, once no snapshot waits to be taken of it. */
async function release(step: Step, row: DiskRow): Promise<void> {
  const { engine, database } = step
  if ((await beingTaken(database.db, row)).length > 0) return lookAgain(step, row)
  await engine.deleteVolume(row.id)
  await database.db
    .updateTable('disk')
    .set({ has_volume: 0, reconcile_at: null })
    .where('id', '=', row.id)
    .execute()
}

/** Makes the volume of a new disk, ends an import, removes the volume of a deleted disk. */
export async function reconcileDisk(step: Step, row: DiskRow): Promise<void> {
  if (row.time_deleted !== null) return release(step, row)
  if (row.state === 'creating') return create(step, row)
  if (row.state === 'finalizing') return finalize(step, row)
  await step.database.db
    .updateTable('disk')
    .set({ reconcile_at: null })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .execute()
}

import { sql, type Updateable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { DiskTable } from './table.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { writingIn } from '../../../kernel/work.ts'
import { endDiskStep } from './change.ts'
import { convert, failSnapshots } from './conversion.ts'
import { isKeptNow } from '../../workspace/deleted-resources/keep.ts'
import { bringToPool, moveDisk } from './reconcile-move.ts'
import type { DiskRow } from './wire.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Hardware } from '../../../kernel/ports/hardware.ts'
import type { Machines } from '../../../kernel/ports/machines.ts'
import type { StoragePools } from '../../../kernel/ports/storage-pools.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ImportLock } from '../../../kernel/import-lock.ts'
import { volumesWithOwner, deleteOrphanedBytes } from '../../../kernel/orphaned-bytes.ts'
import { setRackAlarms } from '../../hardware/hardware/rack-alarm.ts'
import { engineIdOf, poolOf } from '../storage-pools/choose.ts'
import { freeRoom, reclaimRoom, roomOf } from '../storage-pools/room.ts'
import { reclaim, reclaimAround } from '../../hardware/physical-disks/reclaim.ts'
import { hasLost } from '../../hardware/physical-disks/repair.ts'
import {
  candidateDisks,
  choosePlace,
  crowdedBy,
  hasReplicas,
  releaseReplicas,
  takeReplicas,
} from '../../hardware/physical-disks/replicas.ts'

/** The dependencies of the reconciliation of disks. */
export interface DiskParts {
  database: OpenDatabase
  volumes: Volumes
  storagePools?: StoragePools
  hardware: Pick<Hardware, 'replicas'>
  machines: Pick<Machines, 'grow' | 'observe'>
  imports: ImportLock
}
type DiskStep = Step<'disk'> & DiskParts

/** Interval for checking a condition that a disk waits for. Milliseconds. */
const WAIT_MS = 200

/** The snapshot that a disk's bytes begin with: its own source, or that of its image. */
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

/** Snapshots in progress of a disk. */
const beingTaken = (db: Db, row: DiskRow): Promise<{ id: string }[]> =>
  db
    .selectFrom('snapshot')
    .select('id')
    .where('disk_id', '=', row.id)
    .where('state', '=', 'creating')
    .execute()

const requeue = (step: DiskStep): Promise<void> =>
  step.end(step.database.db, new Date(step.now.getTime() + WAIT_MS))

/** Writes the outcome of a step, unless the row was changed meanwhile. */
const settle = (
  step: DiskStep,
  row: DiskRow,
  values: Updateable<DiskTable>,
  alongside?: (tx: Db) => Promise<void>,
): Promise<void> =>
  step.database.concurrently(async (tx) => {
    if (await endDiskStep(tx, step, row, values)) await alongside?.(tx)
  })

async function create(step: DiskStep, row: DiskRow): Promise<void> {
  const { volumes, database } = step
  let source = await sourceOf(database.db, row)
  if (source?.state === 'creating') {
    await step.first('snapshot', source.id)
    source = await sourceOf(database.db, row)
    if (source?.state === 'creating') return requeue(step)
  }
  // It could not be taken. A disk without the promised contents is not one to use.
  if (source?.state === 'faulted') return settle(step, row, { state: 'faulted' })
  const spec = {
    size: row.size,
    blockSize: row.block_size,
    ...(source?.has_volume ? { source: source.id } : {}),
  }
  if (!(await hasPlace(step, row))) return
  await volumes.create(row.id, { ...spec, ...(await poolIn(step, row)) }, step.fence)
  // A read-only disk has the bytes of its source.
  const place = row.read_only === 1 ? 'there' : await bringToPool(step, row)
  if (place === 'moving') return requeue(step)
  if (place === 'failed') return settle(step, row, { state: 'faulted' })
  const state = row.importing ? 'import_ready' : row.instance_id ? 'attached' : 'detached'
  try {
    await settle(step, row, { state, has_volume: 1 }, async (tx) => {
      if (hasReplicas(row) && !(await takeReplicas(tx, row, step.hardware.replicas)))
        throw new NoPlace()
    })
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error
    // The next step makes room, or finds that there is none.
    return requeue(step)
  }
}

/** The storage pool of a volume without a source, for an engine that has pools. */
async function poolIn({ database, storagePools }: DiskStep, row: DiskRow) {
  if (!storagePools) return {}
  const pool = engineIdOf(await poolOf(database.db, row.storage_pool_id))
  return pool === null ? {} : { pool }
}

/** Other disks have taken the space meanwhile. */
class NoPlace extends Error {}

/** Times that one step makes room. */
const ROUNDS = 20

/**
 * Makes room for the replicas of a new disk before it has bytes: deleted disks that can be restored
 * are released, and their bytes freed. After a kill in between, the next step goes on.
 * @returns whether there is room; if not, the step has ended
 */
async function hasPlace(step: DiskStep, row: DiskRow): Promise<boolean> {
  const pool = roomOf(row)
  if (pool !== null) return hasRoomIn(step, pool)
  if (!hasReplicas(row)) return true
  const { database, hardware, now } = step
  const need = { size: row.size, replicas: hardware.replicas }
  for (let round = 0; round < ROUNDS; round++) {
    const place = choosePlace(await candidateDisks(database.db), need)
    if (place === undefined) {
      await settle(step, row, { state: 'faulted' })
      return false
    }
    if (place !== 'held') return true
    const going = await database.transaction((tx) => reclaim(writingIn(tx, now), need))
    for (const id of going) await step.first('disk', id)
  }
  await requeue(step)
  return false
}

/** As `hasPlace`, for the directory of a storage pool, whose room the disk has taken already. */
async function hasRoomIn(step: DiskStep, pool: string): Promise<boolean> {
  const { database, now } = step
  for (let round = 0; round < ROUNDS; round++) {
    const going = await database.transaction((tx) => reclaimRoom(writingIn(tx, now), pool))
    if (going.length === 0) return true
    for (const id of going) await step.first('disk', id)
  }
  await requeue(step)
  return false
}

/**
 * Finishes an import after its last chunk: converts its image, takes the requested snapshot, and
 * turns the disk into an ordinary one.
 */
async function finalize(step: DiskStep, row: DiskRow): Promise<void> {
  const { volumes, database, imports } = step
  await imports.drained(row.id)
  const conversion = await convert(database.db, volumes, row.id, step.fence)
  if (conversion === 'running') return requeue(step)
  if (conversion === 'failed') {
    await settle(step, row, { state: 'faulted', has_volume: 0 }, (tx) =>
      failSnapshots(tx, row.id, step.now),
    )
    // A crash before this leaves the bytes until the disk is deleted.
    return volumes.delete(row.id, step.fence)
  }
  for (const { id } of await beingTaken(database.db, row)) await step.first('snapshot', id)
  if ((await beingTaken(database.db, row)).length > 0) return requeue(step)
  await volumes.seal(row.id)
  await settle(step, row, { state: 'detached' }, async (tx) => {
    if (!volumes.images) return
    await tx.deleteFrom('disk_conversion').where('disk_id', '=', row.id).execute()
  })
}

/** Frees the bytes of a deleted disk, once no snapshot of it is in state `creating`. */
async function release(step: DiskStep, row: DiskRow): Promise<void> {
  const { volumes, database, imports } = step
  // Its bytes are needed if it is restored.
  if (await isKeptNow(database.db, row)) return step.end(database.db, null)
  if ((await beingTaken(database.db, row)).length > 0) return requeue(step)
  if (row.importing === 1) await imports.drained(row.id)
  await volumes.delete(row.id, step.fence)
  const wanted = await database.concurrently(async (tx) => {
    // No transaction depends on this column of a deleted disk.
    await step.end(tx, null, { values: { has_volume: 0 }, unchanged: {} })
    await releaseReplicas(tx, row.id)
    await freeRoom(tx, row)
    if (!(await hasLost(tx))) return false
    await setRackAlarms(tx, step.now)
    return true
  })
  if (wanted) step.wake('rack')
}

/** Snapshots in progress that were requested when a disk was smaller. */
const takenOfLess = (db: Db, row: DiskRow): Promise<{ id: string }[]> =>
  db
    .selectFrom('snapshot')
    .select('id')
    .where('disk_id', '=', row.id)
    .where('state', '=', 'creating')
    .where('size', '<', row.size)
    .execute()

/**
 * Tells the machine that may have a disk open about its size.
 * @returns false if the machine is about to run, perhaps with the size before
 */
async function tellMachine({ machines, database }: DiskStep, row: DiskRow): Promise<boolean> {
  if (!machines.grow) return true
  const disk = await findRow(database.db, 'disk', row.id, 'instance_id')
  const instance = await findRow(database.db, 'instance', disk?.instance_id ?? null, 'vm_id')
  // Machines that get their specification later get the new size.
  if (!instance || instance.vm_id === null) return true
  await machines.grow(instance.vm_id, { id: row.id, size: row.size })
  return (await machines.observe(instance.vm_id)).phase !== 'absent'
}

/**
 * Makes room for the bytes of a disk that has grown, as `hasPlace` does for a new one.
 * @returns whether there is room; if not, the step has ended
 */
async function hasPlaceToGrow(step: DiskStep, row: DiskRow): Promise<boolean> {
  // Nothing is written to a deleted disk.
  if (row.time_deleted !== null) return true
  const pool = roomOf(row)
  if (pool !== null) return hasRoomIn(step, pool)
  const { database, now } = step
  for (let round = 0; round < ROUNDS; round++) {
    if ((await crowdedBy(database.db, row.id)).length === 0) return true
    const going = await database.transaction((tx) => reclaimAround(writingIn(tx, now), row.id))
    if (going.length === 0) return true
    for (const id of going) await step.first('disk', id)
  }
  await requeue(step)
  return false
}

/** Gives the volume of a disk its new size, and tells a running guest. */
async function grow(step: DiskStep, row: DiskRow): Promise<void> {
  const { volumes, database, now } = step
  // They are of the size before.
  for (const { id } of await takenOfLess(database.db, row)) await step.first('snapshot', id)
  if ((await takenOfLess(database.db, row)).length > 0) return requeue(step)
  if (!(await hasPlaceToGrow(step, row))) return
  await volumes.grow(row.id, row.size, step.fence)
  if (!(await tellMachine(step, row))) return requeue(step)
  await database.concurrently(async (tx) => {
    // It may have been attached, detached or deleted meanwhile. A deleted one is due for its bytes.
    const grown = await step.end(tx, row.time_deleted === null ? null : now, {
      values: { growing: 0, generation: sql<number>`generation + 1` },
      unchanged: { growing: 1, size: row.size },
    })
    if (grown?.time_deleted === null) await writingIn(tx, now).emit('disk', 'update', grown)
  })
}

/** Rolls a disk back; the snapshot of its present contents is taken. */
async function rollBack(step: DiskStep, row: DiskRow): Promise<void> {
  const { volumes, database, now } = step
  await volumes.rollBack(row.id, row.rollback_snapshot_id!, step.fence)
  await database.concurrently(async (tx) => {
    // Its instance may have been deleted meanwhile.
    const done = await step.end(tx, null, {
      values: {
        state: sql<
          'attached' | 'detached'
        >`case when instance_id is null then 'detached' else 'attached' end`,
        rollback_snapshot_id: null,
        generation: sql<number>`generation + 1`,
      },
      unchanged: { state: 'maintenance' },
    })
    if (done) await writingIn(tx, now).emit('disk', 'update', done)
  })
}

async function reconcileDisk(step: DiskStep, row: DiskRow): Promise<void> {
  // Also of a deleted disk, for a snapshot that waits for it, and for its restoration.
  if (row.growing === 1) return grow(step, row)
  if (row.time_deleted !== null) return release(step, row)
  if (row.state === 'creating') return create(step, row)
  if (row.state === 'finalizing') return finalize(step, row)
  if (row.state !== 'maintenance') return
  for (const { id } of await beingTaken(step.database.db, row)) await step.first('snapshot', id)
  if ((await beingTaken(step.database.db, row)).length > 0) return requeue(step)
  return row.rollback_snapshot_id === null ? moveDisk(step, row) : rollBack(step, row)
}

/** Brings the volumes of disks to their desired state, from creation to deletion. */
export const diskReconciliation = (parts: DiskParts): Reconciliation<'disk'> => ({
  table: 'disk',
  reconcile: (step, row) => reconcileDisk({ ...step, ...parts }, row),
  async resync() {
    const { volumes, database } = parts
    await deleteOrphanedBytes(
      await volumes.list(),
      (some) => volumesWithOwner(database.db, some),
      (id) => volumes.delete(id),
    )
  },
})

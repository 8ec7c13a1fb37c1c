/** Moves of disks to other storage pools. */
import {
  diskCannotMove,
  diskMoveMessages,
  diskRefusals,
  instanceCannot,
  storagePoolMessages,
} from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { findRow, readRow } from '../../../kernel/db/rows.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import type { Work } from '../../../kernel/work.ts'
import { hasRoom } from '../../hardware/physical-disks/replicas.ts'
import { poolOf, type PoolRow, requireReady, storedIdOf } from '../storage-pools/choose.ts'
import { isReachedBy } from '../storage-pools/reach.ts'
import { takeRoom } from '../storage-pools/room.ts'
import { changeDisk } from './change.ts'

const changedMeanwhile = () => fail.conflict('disk changed meanwhile; try again')

export const findDiskMove = (db: Db, diskId: string) =>
  db.selectFrom('disk_move').selectAll().where('disk_id', '=', diskId).executeTakeFirst()

/** The pool of a disk, and its move. */
export async function toWireDiskStorage(db: Db, diskId: string): Promise<Wire.DiskStorage> {
  const { storage_pool_id } = await readRow(db, 'disk', diskId, 'storage_pool_id')
  const move = await findDiskMove(db, diskId)
  return {
    pool: pick(await poolOf(db, storage_pool_id), 'id', 'name'),
    move: move
      ? {
          to: pick(await poolOf(db, move.storage_pool_id), 'id', 'name'),
          ...pick(move, 'percent', 'problem'),
        }
      : null,
  }
}

/** @throws ApiError 400 or 409 for a disk that cannot be moved */
async function requireMovable(db: Db, disk: Row<'disk'>, to: PoolRow): Promise<void> {
  const cannot = diskCannotMove(disk.state, disk.read_only === 1)
  if (cannot) throw fail.invalidRequest(cannot)
  if (disk.growing === 1) throw fail.conflict(diskRefusals.growing(disk.name))
  if (disk.storage_pool_id === storedIdOf(to)) {
    throw fail.invalidRequest(diskMoveMessages.same(to.name))
  }
  const instance = await findRow(db, 'instance', disk.instance_id, 'run_state', 'sled_id')
  if (!instance) return
  const busy = instanceCannot('moveDisk', instance.run_state)
  if (busy) throw fail.invalidRequest(busy)
  const sled = await findRow(db, 'sled', instance.sled_id, 'name')
  if (sled && !(await isReachedBy(db, to, sled.name))) {
    throw fail.invalidRequest(diskMoveMessages.unreached(to.name))
  }
}

/**
 * Begins to move a disk to another storage pool; the reconciler copies it. Until it is done, the disk
 * is in state `maintenance`: it can be neither attached nor deleted, and its instance neither started
 * nor moved. A guest that runs goes on meanwhile. Snapshots of the disk stay where they are.
 * @throws ApiError 400 for a disk, an instance or a pool that does not allow it, 409 while the disk is
 *   growing, 503 for a pool out of reach, 507 for one without room
 */
export async function beginDiskMove(work: Work, disk: Row<'disk'>, to: PoolRow): Promise<void> {
  const { db, now, services } = work
  await requireMovable(db, disk, to)
  requireReady(to)
  const storage_pool_id = storedIdOf(to)
  const changed = await changeDisk(work, disk, {
    state: 'maintenance',
    reconcile_at: now.toISOString(),
  })
  if (!changed) throw changedMeanwhile()
  await db.deleteFrom('disk_move').where('disk_id', '=', disk.id).execute()
  await db
    .insertInto('disk_move')
    .values({ disk_id: disk.id, storage_pool_id, percent: null, problem: null, cancelled: 0 })
    .execute()
  work.audit.tell({ pool: to.name })
  work.atEnd(async () => {
    const fits =
      storage_pool_id === null
        ? disk.disk_type === 'local' || (await hasRoom(db, disk.size, services.hardware.replicas))
        : await takeRoom(db, storage_pool_id, disk.size)
    if (!fits) throw fail.insufficientCapacity(storagePoolMessages.noRoom(to.name))
  })
}

/**
 * Cancels the move of a disk. One that has arrived meanwhile stays there.
 * @throws ApiError 409 for a disk that is not being moved
 */
export async function cancelDiskMove(work: Work, disk: Row<'disk'>): Promise<void> {
  const move = await findDiskMove(work.db, disk.id)
  if (disk.state !== 'maintenance' || !move || move.problem !== null) {
    throw fail.conflict(diskMoveMessages.notMoving)
  }
  await work.db
    .updateTable('disk_move')
    .set({ cancelled: 1 })
    .where('disk_id', '=', disk.id)
    .execute()
  const changed = await changeDisk(work, disk, { reconcile_at: work.now.toISOString() })
  if (!changed) throw changedMeanwhile()
}

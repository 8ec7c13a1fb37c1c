/** Brings the bytes of disks to the storage pools that their rows say. */
import { diskMoveMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Hardware } from '../../../kernel/ports/hardware.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import {
  DiskCopyError,
  type StoragePools,
  UnusablePoolError,
} from '../../../kernel/ports/storage-pools.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import {
  hasReplicas,
  makeReclaimable,
  releaseReplicas,
  takeReplicas,
} from '../../hardware/physical-disks/replicas.ts'
import { engineIdOf, poolOf } from '../storage-pools/choose.ts'
import { giveRoom } from '../storage-pools/room.ts'
import { findDiskMove } from './move.ts'
import type { DiskRow } from './wire.ts'

type MoveStep = Step<'disk'> & {
  database: OpenDatabase
  storagePools?: StoragePools
  hardware: Pick<Hardware, 'replicas'>
}

/** Interval of the looks at a copy. Milliseconds. */
const WATCH_MS = 500

/** Why a copy failed for good; undefined for a failure after which it is tried again. */
function failureOf(error: unknown, pool: string): string | undefined {
  if (error instanceof NoSpaceError) return diskMoveMessages.noRoom
  if (error instanceof UnusablePoolError) return diskMoveMessages.unreachable(pool, error.message)
  if (error instanceof DiskCopyError) return error.message
  return undefined
}

/**
 * Brings a new volume, which begins in the pool of its source, to its own pool.
 * @returns whether it is there, or on the way, or cannot get there
 */
export async function bringToPool(
  { storagePools, database, fence }: MoveStep,
  row: DiskRow,
): Promise<'there' | 'moving' | 'failed'> {
  if (!storagePools) return 'there'
  const pool = await poolOf(database.db, row.storage_pool_id)
  try {
    const { done } = await storagePools.move(row.id, engineIdOf(pool), fence)
    return done ? 'there' : 'moving'
  } catch (error) {
    if (failureOf(error, pool.name) === undefined) throw error
    return 'failed'
  }
}

/** Gives the room back that a disk had, or was to get, in a pool. */
async function leavePool(tx: Db, disk: DiskRow): Promise<void> {
  if (!hasReplicas(disk)) return giveRoom(tx, disk)
  await makeReclaimable(tx, disk.id)
  await releaseReplicas(tx, disk.id)
}

/** There are no physical disks for the replicas any more. */
class NoPlace extends Error {}

async function arrive(step: MoveStep, row: DiskRow, to: DiskRow): Promise<void> {
  await step.database.transaction(async (tx) => {
    const moved = await end(step, tx, { storage_pool_id: to.storage_pool_id })
    if (!moved) return
    await leavePool(tx, row)
    if (hasReplicas(to) && !(await takeReplicas(tx, to, step.hardware.replicas))) {
      throw new NoPlace('no physical disks have room for the replicas of a disk that has moved')
    }
    await tx.deleteFrom('disk_move').where('disk_id', '=', row.id).execute()
  })
}

/** Ends the maintenance of a disk. Its instance may have been deleted meanwhile. */
async function end(
  step: MoveStep,
  tx: Db,
  values: { storage_pool_id?: string | null } = {},
): Promise<boolean> {
  const ended = await step.end(tx, null, {
    values: {
      ...values,
      state: sql<
        'attached' | 'detached'
      >`case when instance_id is null then 'detached' else 'attached' end`,
      generation: sql<number>`generation + 1`,
    },
    unchanged: { state: 'maintenance' },
  })
  if (!ended) return false
  await writingIn(tx, step.now).emit('disk', 'update', ended)
  // An instance that failed meanwhile was not restarted.
  await tx
    .updateTable('instance')
    .set({ reconcile_at: step.now.toISOString() })
    .where('id', '=', ended.instance_id)
    .where('run_state', '=', 'failed')
    .execute()
  step.wake('instance')
  return true
}

/** @param problem why it failed; undefined for a move that was cancelled */
const stay = (step: MoveStep, to: DiskRow, problem?: string): Promise<void> =>
  step.database.transaction(async (tx) => {
    if (!(await end(step, tx))) return
    // Replicas are taken at the arrival.
    if (!hasReplicas(to)) await giveRoom(tx, to)
    const move = to.id
    if (problem === undefined) {
      await tx.deleteFrom('disk_move').where('disk_id', '=', move).execute()
    } else {
      await tx
        .updateTable('disk_move')
        .set({ problem, percent: null, cancelled: 0 })
        .where('disk_id', '=', move)
        .execute()
    }
  })

/**
 * Takes a step of the move of a disk. The engine says where the bytes are, whatever was interrupted;
 * the row follows.
 */
export async function moveDisk(step: MoveStep, row: DiskRow): Promise<void> {
  const { database, storagePools, fence, now } = step
  const move = await findDiskMove(database.db, row.id)
  if (!move || !storagePools) return database.transaction(async (tx) => void (await end(step, tx)))
  const to = { ...row, storage_pool_id: move.storage_pool_id }
  const [from, target] = [
    await poolOf(database.db, row.storage_pool_id),
    await poolOf(database.db, move.storage_pool_id),
  ]
  if (move.cancelled === 1) {
    const stays = await storagePools.stay(row.id, engineIdOf(from), fence)
    return stays ? stay(step, to) : arrive(step, row, to)
  }
  try {
    const { done, part } = await storagePools.move(row.id, engineIdOf(target), fence)
    if (done) return await arrive(step, row, to)
    await database.concurrently(async (tx) => {
      if (part !== undefined) {
        await tx
          .updateTable('disk_move')
          .set({ percent: Math.floor(part * 100) })
          .where('disk_id', '=', row.id)
          .execute()
      }
      await step.end(tx, new Date(now.getTime() + WATCH_MS))
    })
  } catch (error) {
    const problem = failureOf(error, target.name)
    if (problem === undefined) throw error
    if (await storagePools.stay(row.id, engineIdOf(from), fence)) return stay(step, to, problem)
    return arrive(step, row, to)
  }
}

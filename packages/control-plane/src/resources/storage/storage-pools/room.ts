/**
 * The room of directories: `used` of a pool is the sum of the sizes of its disks, `reclaimable` that
 * of deleted disks whose bytes are still there. Disks on physical disks have replicas instead.
 */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { changeRow, findRow, sumOf } from '../../../kernel/db/rows.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { isKept } from '../../workspace/deleted-resources/keep.ts'
import { releaseKept } from '../../workspace/deleted-resources/release.ts'

type Held = Pick<Row<'disk'>, 'storage_pool_id' | 'read_only' | 'size'>

/** Deleted disks that one transaction releases. */
const RELEASED_MAX = 50

/** The pool whose room a disk takes; null for one with replicas, or with the bytes of its source. */
export const roomOf = ({ storage_pool_id, read_only }: Held): string | null =>
  read_only === 1 ? null : storage_pool_id

/**
 * Takes room in a directory. Deleted disks there count as room.
 * @returns whether there was room; if not, the transaction has to be rolled back
 */
export async function takeRoom(db: Db, poolId: string, bytes: number): Promise<boolean> {
  const taken = await db
    .updateTable('storage_pool')
    .set({ used: sql`used + ${bytes}` })
    .where('id', '=', poolId)
    .where('state', '<>', 'leaving')
    .where(sql<boolean>`used + ${bytes} <= size`)
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Gives room of a directory back, at once or to what deleted disks hold. */
const change = async (
  db: Db,
  disk: Held,
  by: { used?: number; reclaimable?: number },
): Promise<void> => {
  const poolId = roomOf(disk)
  if (poolId === null) return
  const { used = 0, reclaimable = 0 } = by
  await changeRow(db, 'storage_pool', poolId, {
    used: sql`used + ${used * disk.size}`,
    reclaimable: sql`reclaimable + ${reclaimable * disk.size}`,
  })
}

/** The disk is in another pool now, or was never made there. */
export const giveRoom = (db: Db, disk: Held) => change(db, disk, { used: -1 })
/** The disk is being deleted; its bytes are still there. */
export const holdRoom = (db: Db, disk: Held) => change(db, disk, { used: -1, reclaimable: 1 })
/** The bytes of the deleted disk are gone. */
export const freeRoom = (db: Db, disk: Held) => change(db, disk, { reclaimable: -1 })

/**
 * The deleted disk is being restored.
 * @returns whether there was room; if not, the transaction has to be rolled back
 */
export async function keepRoom(db: Db, disk: Held): Promise<boolean> {
  const poolId = roomOf(disk)
  if (poolId === null) return true
  if (!(await takeRoom(db, poolId, disk.size))) return false
  await freeRoom(db, disk)
  return true
}

/** Room of the disks in a pool, without that of disks on their way to it. */
export async function roomOfDisks(
  db: Db,
  poolId: string,
): Promise<{ used: number; reclaimable: number }> {
  const held = db
    .selectFrom('disk')
    .where('storage_pool_id', '=', poolId)
    .where('read_only', '=', 0)
  return {
    used: await sumOf(held.where('time_deleted', 'is', null), 'size'),
    reclaimable: await sumOf(
      held.where('time_deleted', 'is not', null).where('has_volume', '=', 1),
      'size',
    ),
  }
}

/** Whether deleted disks hold room that others have taken. */
async function isCrowded(db: Db, poolId: string): Promise<boolean> {
  const pool = await findRow(db, 'storage_pool', poolId, 'size', 'used', 'reclaimable')
  return pool !== undefined && pool.reclaimable > 0 && pool.used + pool.reclaimable > pool.size
}

/**
 * Releases deleted disks that can be restored, the oldest first, until the others fit into a
 * directory.
 * @returns deleted disks whose bytes have to go first; none if nothing is in the way
 */
export async function reclaimRoom(writing: Writing, poolId: string): Promise<string[]> {
  const { db } = writing
  if (!(await isCrowded(db, poolId))) return []
  const deleted = db
    .selectFrom('disk')
    .select(['disk.id', 'disk.size'])
    .where('disk.storage_pool_id', '=', poolId)
    .where('disk.time_deleted', 'is not', null)
    .where('disk.has_volume', '=', 1)
    .where('disk.read_only', '=', 0)
    .orderBy('disk.time_deleted')
    .orderBy('disk.id')
    .limit(RELEASED_MAX)
  const going = await deleted.where((eb) => eb.not(isKept('disk.id'))).execute()
  const pool = await findRow(db, 'storage_pool', poolId, 'size', 'used', 'reclaimable')
  let excess = pool!.used + pool!.reclaimable - pool!.size
  for (const { size } of going) excess -= size
  const released: string[] = []
  for (const { id, size } of await deleted.where(isKept('disk.id')).execute()) {
    if (excess <= 0) break
    await releaseKept(writing, id)
    released.push(id)
    excess -= size
  }
  return [...going.map(({ id }) => id), ...released]
}

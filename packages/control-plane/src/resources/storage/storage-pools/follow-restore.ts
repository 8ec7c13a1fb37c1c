import { sql } from 'kysely'
import type { OpenDatabase, Tx } from '../../../kernel/db/database.ts'
import { changeRow, sumOf } from '../../../kernel/db/rows.ts'
import { readSetting, writeSetting } from '../../../kernel/db/setting.ts'
import type { PoolRestore, StoragePools } from '../../../kernel/ports/storage-pools.ts'
import { roomOfDisks } from './room.ts'

/** The restore that the rows follow. */
const KEY = 'storage_pools_restore'

/** Bytes of the disks on their way to a pool, which have their room there. */
const coming = (tx: Tx, poolId: string): Promise<number> =>
  sumOf(
    tx
      .selectFrom('disk')
      .where('read_only', '=', 0)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('disk_move')
          .select('disk_id')
          .where('storage_pool_id', '=', poolId)
          .where('problem', 'is', null),
      ),
    'size',
  )

/**
 * Puts the disks and snapshots of a pool into the first one, also disks on their way to it, which may
 * have arrived. The pool stays, without them.
 */
async function gather(tx: Tx, poolId: string, firstId: string): Promise<void> {
  const { used: there, reclaimable } = await roomOfDisks(tx, poolId)
  const used = there + (await coming(tx, poolId))
  for (const [pool, sign] of [
    [poolId, -1],
    [firstId, 1],
  ] as const) {
    await changeRow(tx, 'storage_pool', pool, {
      used: sql`used + ${sign * used}`,
      reclaimable: sql`reclaimable + ${sign * reclaimable}`,
    })
  }
  for (const table of ['disk', 'snapshot'] as const) {
    await tx
      .updateTable(table)
      .set({ storage_pool_id: firstId })
      .where('storage_pool_id', '=', poolId)
      .execute()
  }
  await tx
    .updateTable('disk_move')
    .set({ storage_pool_id: firstId })
    .where('storage_pool_id', '=', poolId)
    .where('problem', 'is', null)
    .execute()
}

/**
 * Writes the new directories of pools, two of which may have changed places. Operators have mounted
 * them: what hosts mounted before belongs to the original.
 */
async function writePaths(tx: Tx, directories: PoolRestore['directories']): Promise<void> {
  for (const id of directories.keys()) await changeRow(tx, 'storage_pool', id, { path: null })
  for (const [id, path] of directories) {
    await changeRow(tx, 'storage_pool', id, { type: 'directory', path, source: null })
  }
}

/**
 * Follows a restore from a backup, once: pools have the directories that the engine has filled, and
 * the disks and snapshots of all others are in the first pool.
 */
export async function followRestore(
  { transaction }: OpenDatabase,
  { storagePools }: { storagePools?: StoragePools },
): Promise<void> {
  const restore = await storagePools?.restore?.()
  if (restore === undefined) return
  const { id, directories } = restore
  await transaction(async (tx) => {
    if ((await readSetting(tx, KEY)) === id) return
    const pools = await tx.selectFrom('storage_pool').select(['id', 'built_in']).execute()
    const first = pools.find((pool) => pool.built_in === 1)!
    for (const pool of pools) {
      if (pool !== first && !directories.has(pool.id)) await gather(tx, pool.id, first.id)
    }
    await writePaths(tx, directories)
    await writeSetting(tx, KEY, id)
  })
}

import { sql } from 'kysely'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { readSetting, writeSetting } from '../../../kernel/db/setting.ts'
import type { StoragePools } from '../../../kernel/ports/storage-pools.ts'
import { roomOfDisks } from './room.ts'

/** The restore that the rows follow. */
const KEY = 'storage_pools_restore'

/**
 * Puts all disks and snapshots into the first pool, once after a restore from a backup, as the engine
 * has put their bytes there. The other pools stay, without them.
 */
export async function gatherInFirstPool(
  { transaction }: OpenDatabase,
  { storagePools }: { storagePools?: StoragePools },
): Promise<void> {
  const restore = await storagePools?.restore?.()
  if (restore === undefined) return
  await transaction(async (tx) => {
    if ((await readSetting(tx, KEY)) === restore) return
    const pools = await tx.selectFrom('storage_pool').select(['id', 'built_in']).execute()
    const first = pools.find((pool) => pool.built_in === 1)!
    for (const { id } of pools.filter((pool) => pool !== first)) {
      const { used, reclaimable } = await roomOfDisks(tx, id)
      for (const [pool, sign] of [
        [id, -1],
        [first.id, 1],
      ] as const) {
        await changeRow(tx, 'storage_pool', pool, {
          used: sql`used + ${sign * used}`,
          reclaimable: sql`reclaimable + ${sign * reclaimable}`,
        })
      }
      for (const table of ['disk', 'snapshot'] as const) {
        await tx
          .updateTable(table)
          .set({ storage_pool_id: first.id })
          .where('storage_pool_id', '=', id)
          .execute()
      }
    }
    await writeSetting(tx, KEY, restore)
  })
}

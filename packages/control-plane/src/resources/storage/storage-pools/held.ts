import type { Db } from '../../../kernel/db/database.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { isKept } from '../../workspace/deleted-resources/keep.ts'

/** Disks and snapshots in a directory, also deleted ones whose bytes are there. */
export async function countHeld(
  db: Db,
  poolId: string,
): Promise<{ disks: number; snapshots: number }> {
  const held = (table: 'disk' | 'snapshot') =>
    countRows(
      db
        .selectFrom(table as 'disk')
        .where('storage_pool_id', '=', poolId)
        .where((eb) =>
          eb.or([
            eb('time_deleted', 'is', null),
            eb('has_volume', '=', 1),
            eb('reconcile_at', 'is not', null),
            isKept(),
          ]),
        ),
    )
  const moves = await countRows(
    db.selectFrom('disk_move').where('storage_pool_id', '=', poolId).where('problem', 'is', null),
  )
  return { disks: (await held('disk')) + moves, snapshots: await held('snapshot') }
}

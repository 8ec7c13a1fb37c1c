import { changeDisk } from '../disks/change.ts'
import type { DiskRow } from '../disks/view.ts'
import type { Step } from './reconciler.ts'

/** Makes the volume of a new disk, removes that of a deleted one. */
export async function reconcileDisk(step: Step, row: DiskRow): Promise<void> {
  const { engine, database, now } = step
  if (row.time_deleted !== null) {
    await engine.deleteVolume(row.id)
    await database.db
      .updateTable('disk')
      .set({ has_volume: 0, reconcile_at: null })
      .where('id', '=', row.id)
      .execute()
    return
  }
  if (row.state === 'creating') {
    await engine.createVolume(row.id, { size: row.size, blockSize: row.block_size })
    const state = row.importing ? 'import_ready' : row.instance_id ? 'attached' : 'detached'
    await database.transaction((tx) =>
      changeDisk(tx, row, { state, has_volume: 1, reconcile_at: null }, now),
    )
    return
  }
  await database.db
    .updateTable('disk')
    .set({ reconcile_at: null })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .execute()
}

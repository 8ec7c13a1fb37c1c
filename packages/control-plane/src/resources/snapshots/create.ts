import type { Context } from '../../kernel/context.ts'
import { chargeStorage } from '../disks/create.ts'
import type { DiskRow } from '../disks/view.ts'
import { fail } from '../../kernel/errors.ts'
import { snapshotChanged, type SnapshotRow } from './change.ts'

/** How long a call waits for a snapshot to be taken; clients use it at once. Milliseconds. */
export const SNAPSHOT_WAIT_MS = 10_000

/**
 * Writes down a snapshot of a disk in state `creating`; the reconciler takes it.
 * @throws ApiError 507 if the quota is exhausted, 400 if the name is taken
 */
export async function createSnapshot(
  ctx: Context,
  siloId: string,
  disk: DiskRow,
  { name, description }: { name: string; description: string },
): Promise<SnapshotRow> {
  const { db, now } = ctx
  await chargeStorage(db, siloId, disk.size)
  const taken = await db
    .selectFrom('snapshot')
    .select('id')
    .where('project_id', '=', disk.project_id)
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (taken) throw fail.alreadyExists('snapshot', name)
  const time = now.toISOString()
  const snapshot: SnapshotRow = {
    id: crypto.randomUUID(),
    name,
    description,
    time_created: time,
    time_modified: time,
    time_deleted: null,
    project_id: disk.project_id,
    disk_id: disk.id,
    size: disk.size,
    block_size: disk.block_size,
    state: 'creating',
    has_volume: 0,
    reconcile_at: time,
  }
  await db.insertInto('snapshot').values(snapshot).execute()
  await snapshotChanged(db, snapshot, 'create', now)
  return snapshot
}

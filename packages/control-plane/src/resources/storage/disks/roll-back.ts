import {
  beforeRollBack,
  diskCannotRollBack,
  diskRefusals,
  generateName,
  instanceCannot,
  snapshotStateText,
} from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { findRow, readRow } from '../../../kernel/db/rows.ts'
import { createSnapshot } from '../snapshots/create.ts'
import { changeDisk } from './change.ts'

/** A disk that is being rolled back, and the snapshot of its contents before. */
export interface RollingBack {
  disk: Row<'disk'>
  before: Row<'snapshot'>
}

/** @throws ApiError 400 for a disk, a snapshot or an instance that does not allow it */
async function requirePossible(
  db: Db,
  disk: Row<'disk'>,
  snapshot: Row<'snapshot'>,
): Promise<void> {
  const cannot = diskCannotRollBack(disk.state, disk.disk_type, disk.read_only === 1)
  if (cannot) throw fail.invalidRequest(cannot)
  if (snapshot.disk_id !== disk.id) {
    throw fail.invalidRequest(diskRefusals.otherSnapshot(snapshot.name, disk.name))
  }
  if (snapshot.state !== 'ready') {
    const state = snapshotStateText(snapshot.state)
    throw fail.invalidRequest(`cannot roll back to a snapshot in state ${state}`)
  }
  if (snapshot.storage_pool_id !== disk.storage_pool_id) {
    throw fail.invalidRequest(diskRefusals.otherPool(snapshot.name))
  }
  if (disk.growing === 1) throw fail.conflict(diskRefusals.growing(disk.name))
  const instance = await findRow(db, 'instance', disk.instance_id, 'run_state')
  const inUse = instance && instanceCannot('rollBack', instance.run_state)
  if (inUse) throw fail.invalidRequest(inUse)
}

/**
 * Begins to roll a disk back to one of its snapshots. A snapshot of the present contents is taken
 * first, to undo it. Until the reconciler is done, the disk is in state `maintenance`: it can be
 * neither attached nor deleted, and its instance not started. A disk that has grown since keeps its
 * size.
 * @throws ApiError 400 for a disk, a snapshot or an instance that does not allow it, 409 while the
 *   disk is growing, 507 if there is no room for that snapshot
 */
export async function rollBackDisk(
  work: Writing & Pick<Work, 'atEnd'>,
  disk: Row<'disk'>,
  snapshot: Row<'snapshot'>,
): Promise<RollingBack> {
  const { db, now } = work
  await requirePossible(db, disk, snapshot)
  const { silo_id } = await readRow(db, 'project', disk.project_id, 'silo_id')
  const before = await createSnapshot(work, silo_id, disk, {
    name: generateName(disk.name),
    description: beforeRollBack(snapshot.name),
  })
  const changed = await changeDisk(work, disk, {
    state: 'maintenance',
    rollback_snapshot_id: snapshot.id,
    reconcile_at: now.toISOString(),
  })
  if (!changed) throw fail.conflict('disk changed meanwhile; try again')
  return { disk: changed, before }
}

import { diskCan, restoreMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { holdRoom, keepRoom } from '../storage-pools/room.ts'
import { keepReplicas, makeReclaimable } from '../../hardware/physical-disks/replicas.ts'
import { releaseStorage } from '../../tenancy/silos/storage.ts'
import { chargeRestored } from '../../workspace/deleted-resources/charge.ts'
import { keeping } from '../../workspace/deleted-resources/keep.ts'
import { CannotRestore, type Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { changeDisk } from './change.ts'
import { cancelConversion, isConverting } from './conversion.ts'

const changedMeanwhile = () => fail.conflict('disk changed while it was being deleted; try again')

/**
 * Deletes a disk, even while its image is being converted; the reconciler, which the caller wakes
 * after the commit, frees its bytes.
 * @param kept whether its bytes stay because it can be restored
 * @throws ApiError 400 in states that do not allow it
 */
export async function releaseDisk(
  { db, now, emit, atEnd }: Writing & Pick<Work, 'atEnd'>,
  given: Row<'disk'>,
  siloId: string,
  kept = false,
): Promise<void> {
  const disk = (await isConverting(db, given))
    ? await cancelConversion({ db, emit, now }, given)
    : given
  if (!disk) throw changedMeanwhile()
  if (!diskCan('delete', disk.state)) {
    throw fail.invalidRequest(`disk cannot be deleted in state "${disk.state}"`)
  }
  const time = now.toISOString()
  const deleted = await changeDisk(
    { db, emit },
    disk,
    {
      state: 'destroyed',
      time_deleted: time,
      reconcile_at: kept && disk.growing === 0 ? null : time,
    },
    'delete',
  )
  if (!deleted) throw changedMeanwhile()
  atEnd(async () => {
    await makeReclaimable(db, disk.id)
    await holdRoom(db, disk)
  })
  releaseStorage({ db, atEnd, now }, { id: disk.project_id, silo_id: siloId }, disk.size)
}

/**
 * Deletes a disk of the caller's silo; the reconciler frees its bytes, or they are kept while the
 * disk can be restored.
 * @throws ApiError 400 in states that do not allow it
 */
export async function deleteDisk(work: Work, disk: Row<'disk'>): Promise<void> {
  const release = (kept: boolean) => releaseDisk(work, disk, work.actor.siloId, kept)
  // An image that is not converted cannot be restored.
  if (await isConverting(work.db, disk)) await release(false)
  else await keeping(work, 'disk', disk, release)
  work.afterCommit(async () => work.services.reconciler.wake('disk'))
}

/** Frees the bytes of a disk that can no longer be restored. */
export async function releaseKeptDisk(
  { db, now }: Writing,
  { id }: Row<'deleted_resource'>,
): Promise<void> {
  await changeRow(db, 'disk', id, { reconcile_at: now.toISOString() })
}

/**
 * Charges the quota of the silo and the physical disks for a disk that is restored.
 * @throws CannotRestore if its room has been given to others
 */
export async function restoreDisk({ work }: Restoring, row: Row<'disk'>): Promise<Row<'disk'>> {
  await chargeRestored(work, row)
  const isKept = (await keepReplicas(work.db, row.id)) && (await keepRoom(work.db, row))
  if (!isKept) throw new CannotRestore(restoreMessages.noRoom)
  return row
}

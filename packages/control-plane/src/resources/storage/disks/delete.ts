import { diskCan } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { releaseStorage } from '../../tenancy/silos/storage.ts'
import { changeDisk } from './change.ts'

/**
 * Deletes a disk; the reconciler, which the caller wakes after the commit, frees its bytes.
 * @throws ApiError 400 in states that do not allow it
 */
export async function releaseDisk(
  { db, now, emit, atEnd }: Writing & Pick<Work, 'atEnd'>,
  disk: Row<'disk'>,
  siloId: string,
): Promise<void> {
  if (!diskCan('delete', disk.state)) {
    throw fail.invalidRequest(`disk cannot be deleted in state "${disk.state}"`)
  }
  const time = now.toISOString()
  const deleted = await changeDisk(
    { db, emit },
    disk,
    { state: 'destroyed', time_deleted: time, reconcile_at: time },
    'delete',
  )
  if (!deleted) throw fail.conflict('disk changed while it was being deleted; try again')
  releaseStorage({ db, atEnd, now }, { id: disk.project_id, silo_id: siloId }, disk.size)
}

/**
 * Deletes a disk of the caller's silo; the reconciler frees its bytes.
 * @throws ApiError 400 in states that do not allow it
 */
export async function deleteDisk(work: Work, disk: Row<'disk'>): Promise<void> {
  await releaseDisk(work, disk, work.actor.siloId)
  work.afterCommit(async () => work.services.reconciler.wake('disk'))
}

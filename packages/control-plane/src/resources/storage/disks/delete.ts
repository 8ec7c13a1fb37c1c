import { diskCan } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { releaseStorage } from '../../tenancy/silos/storage.ts'
import { changeDisk } from './change.ts'

/**
 * Deletes a disk; the reconciler frees its bytes.
 * @throws ApiError 400 in states that do not allow it
 */
export async function deleteDisk(
  { db, now, emit, actor, atEnd, afterCommit, services }: Work,
  disk: Row<'disk'>,
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
  releaseStorage({ db, atEnd, now }, { id: disk.project_id, silo_id: actor.siloId }, disk.size)
  afterCommit(async () => services.reconciler.wake('disk'))
}

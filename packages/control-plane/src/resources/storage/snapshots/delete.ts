import { snapshotCanDelete, snapshotStateText } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { releaseStorage } from '../../tenancy/silos/storage.ts'

/**
 * Deletes a snapshot; the reconciler, which the caller wakes after the commit, frees its bytes once
 * no image needs them.
 * @throws ApiError 400 in states that do not allow it
 */
export async function releaseSnapshot(
  { db, now, emit, atEnd }: Writing & Pick<Work, 'atEnd'>,
  snapshot: Row<'snapshot'>,
  siloId: string,
): Promise<void> {
  if (!snapshotCanDelete(snapshot.state)) {
    const state = snapshotStateText(snapshot.state)
    throw fail.invalidRequest(`snapshot cannot be deleted in state ${state}`)
  }
  const time = now.toISOString()
  await db
    .updateTable('snapshot')
    .set({ state: 'destroyed', time_deleted: time, reconcile_at: time })
    .where('id', '=', snapshot.id)
    .execute()
  await emit('snapshot', 'delete', snapshot)
  releaseStorage({ db, atEnd, now }, { id: snapshot.project_id, silo_id: siloId }, snapshot.size)
}

/**
 * Deletes a snapshot of the caller's silo; the reconciler frees its bytes once no image needs them.
 * @throws ApiError 400 in states that do not allow it
 */
export async function deleteSnapshot(work: Work, snapshot: Row<'snapshot'>): Promise<void> {
  await releaseSnapshot(work, snapshot, work.actor.siloId)
  work.afterCommit(async () => work.services.reconciler.wake('snapshot'))
}

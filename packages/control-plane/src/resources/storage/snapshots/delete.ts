import { snapshotCanDelete, snapshotStateText } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { releaseStorage } from '../../tenancy/silos/storage.ts'

/**
 * Deletes a snapshot; the reconciler frees its bytes once no image needs them.
 * @throws ApiError 400 in states that do not allow it
 */
export async function deleteSnapshot(
  { db, now, actor, emit, atEnd, afterCommit, services }: Work,
  snapshot: Row<'snapshot'>,
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
  releaseStorage(
    { db, atEnd, now },
    { id: snapshot.project_id, silo_id: actor.siloId },
    snapshot.size,
  )
  afterCommit(async () => services.reconciler.wake('snapshot'))
}

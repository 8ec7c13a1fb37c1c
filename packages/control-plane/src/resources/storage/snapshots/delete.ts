import { snapshotCanDelete, snapshotStateText } from '@steading/api/rules'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { keeping } from '../../workspace/deleted-resources/keep.ts'
import { chargeRestored } from '../../workspace/deleted-resources/charge.ts'
import type { Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { releaseStorage } from '../../tenancy/silos/storage.ts'

/**
 * Deletes a snapshot; the reconciler, which the caller wakes after the commit, frees its bytes once
 * no image needs them.
 * @param kept whether its bytes stay because it can be restored
 * @throws ApiError 400 in states that do not allow it
 */
export async function releaseSnapshot(
  work: Writing & Pick<Work, 'atEnd'>,
  snapshot: Row<'snapshot'>,
  siloId: string,
  kept = false,
): Promise<void> {
  if (!snapshotCanDelete(snapshot.state)) {
    const state = snapshotStateText(snapshot.state)
    throw fail.invalidRequest(`snapshot cannot be deleted in state ${state}`)
  }
  const reconcile_at = kept ? null : work.now.toISOString()
  await deleteRow(work, 'snapshot', snapshot, { state: 'destroyed', reconcile_at })
  const project = { id: snapshot.project_id, silo_id: siloId }
  releaseStorage(work, project, snapshot.size)
}

/**
 * Deletes a snapshot of the caller's silo; the reconciler frees its bytes once no image needs them,
 * and it can no longer be restored.
 * @throws ApiError 400 in states that do not allow it
 */
export async function deleteSnapshot(work: Work, snapshot: Row<'snapshot'>): Promise<void> {
  await keeping(work, 'snapshot', snapshot, (kept) =>
    releaseSnapshot(work, snapshot, work.actor.siloId, kept),
  )
  work.afterCommit(async () => work.services.reconciler.wake('snapshot'))
}

/** Frees the bytes of a snapshot that can no longer be restored. */
export async function releaseKeptSnapshot(
  { db, now }: Writing,
  { id }: Row<'deleted_resource'>,
): Promise<void> {
  await changeRow(db, 'snapshot', id, { reconcile_at: now.toISOString() })
}

/** Charges the quota of the silo for a snapshot that is restored. */
export async function restoreSnapshot(
  { work }: Restoring,
  row: Row<'snapshot'>,
): Promise<Row<'snapshot'>> {
  await chargeRestored(work, row)
  return row
}

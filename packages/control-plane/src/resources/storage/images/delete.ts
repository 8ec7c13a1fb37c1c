import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'
import { keeping } from '../../workspace/deleted-resources/keep.ts'
import { imageKind } from './lookup.ts'

/** Makes the deleted snapshot of an image due: its bytes are freed if nothing else needs them. */
const wakeSnapshot = (db: Db, time: string, snapshotId: string | null) =>
  db
    .updateTable('snapshot')
    .set({ reconcile_at: time })
    .where('id', '=', snapshotId)
    .where('time_deleted', 'is not', null)
    .where('has_volume', '=', 1)
    .execute()

/**
 * Deletes an image. The bytes of a deleted snapshot are kept for its images; the end of the last one
 * frees them. Images of the silo are deleted at once, others are kept while they can be restored.
 */
export async function deleteImage(work: Work, image: Row<'image'>): Promise<void> {
  const { db, now, emit, afterCommit, services } = work
  const time = now.toISOString()
  await keeping(work, 'image', image, async (kept) => {
    await changeRow(db, 'image', image.id, { time_deleted: time })
    if (!kept) await wakeSnapshot(db, time, image.snapshot_id)
    await emit(imageKind(image), 'delete', image)
  })
  afterCommit(async () => services.reconciler.wake('snapshot'))
}

/** Frees the bytes of an image that can no longer be restored. */
export async function releaseKeptImage(
  { db, now }: Writing,
  { id }: Row<'deleted_resource'>,
): Promise<void> {
  const image = await findRow(db, 'image', id, 'snapshot_id')
  if (image) await wakeSnapshot(db, now.toISOString(), image.snapshot_id)
}

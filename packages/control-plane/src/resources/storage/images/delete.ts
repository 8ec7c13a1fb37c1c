import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { imageKind } from './image-kind.ts'

/**
 * Deletes an image. The bytes of a deleted snapshot are kept for its images; the deletion of the
 * last one frees them.
 */
export async function deleteImage(
  { db, now, emit, afterCommit, services }: Work,
  image: Row<'image'>,
): Promise<void> {
  const time = now.toISOString()
  await db.updateTable('image').set({ time_deleted: time }).where('id', '=', image.id).execute()
  await db
    .updateTable('snapshot')
    .set({ reconcile_at: time })
    .where('id', '=', image.snapshot_id)
    .where('time_deleted', 'is not', null)
    .where('has_volume', '=', 1)
    .execute()
  await emit(imageKind(image), 'delete', image)
  afterCommit(async () => services.reconciler.wake('snapshot'))
}

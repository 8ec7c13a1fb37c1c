import type { Db } from '../../../kernel/db/database.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import type { DeletedRow } from './restore.ts'

/**
 * Ends the time in which a resource can be restored: its bytes and its quota are freed. Does
 * nothing if another transaction has restored or released it.
 */
export async function releaseResource(
  writing: Writing & Pick<Work, 'atEnd'>,
  deleted: DeletedRow,
): Promise<void> {
  const { db } = writing
  const ended = await db
    .deleteFrom('deleted_resource')
    .where('id', '=', deleted.id)
    .returning('id')
    .executeTakeFirst()
  if (!ended) return
  await db.deleteFrom('deleted_row').where('resource_id', '=', deleted.id).execute()
  await storedKind(deleted.kind).restoration?.release?.(writing, deleted)
  await writing.emit('deleted_resource', 'delete', deleted)
}

/** Deletes a deleted resource permanently, before it expires. */
export async function deletePermanently(work: Work, deleted: DeletedRow): Promise<void> {
  await releaseResource(work, deleted)
  work.afterCommit(async () => work.services.reconciler.wake())
}

/** Makes all deleted resources of a deleted project due: they end with the project. */
export async function releaseAllOf(db: Db, projectId: string, now: Date): Promise<void> {
  const time = now.toISOString()
  await db
    .updateTable('deleted_resource')
    .set({ time_expires: time, reconcile_at: time })
    .where('project_id', '=', projectId)
    .execute()
}

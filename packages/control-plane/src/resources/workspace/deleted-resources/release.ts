import { KEPT_RESOURCES_MAX } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { storedKind } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import type { DeletedRow } from './restore.ts'

/** Deleted resources of a silo that become due at once. */
const AT_ONCE = 1_000

/**
 * Ends the time in which a resource can be restored: its bytes are freed. Does nothing if another
 * transaction has restored or released it.
 */
export async function releaseResource(writing: Writing, deleted: DeletedRow): Promise<void> {
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

/** Releases a deleted resource early, because its room is needed. */
export async function releaseKept(writing: Writing, id: string): Promise<void> {
  const deleted = await findRow(writing.db, 'deleted_resource', id)
  if (deleted) await releaseResource(writing, deleted)
}

/** Deletes a deleted resource permanently, before it expires. */
export async function deletePermanently(work: Work, deleted: DeletedRow): Promise<void> {
  await releaseResource(work, deleted)
  work.afterCommit(async () => work.services.reconciler.wake())
}

/**
 * Makes the oldest deleted resources due in silos with more than `max` of them, so that programs that
 * create and delete without end fill no table.
 */
export async function releaseExcess(db: Db, now: Date, max = KEPT_RESOURCES_MAX): Promise<void> {
  const over = await db
    .selectFrom('deleted_resource')
    .select((eb) => ['silo_id', eb.fn.countAll<number | string>().as('count')])
    .groupBy('silo_id')
    .having((eb) => eb.fn.countAll(), '>', max)
    .execute()
  const time = now.toISOString()
  for (const { silo_id, count } of over) {
    const oldest = db
      .selectFrom('deleted_resource')
      .select('id')
      .where('silo_id', '=', silo_id)
      .orderBy('time_created')
      .orderBy('id')
      .limit(Math.min(Number(count) - max, AT_ONCE))
    await db
      .updateTable('deleted_resource')
      .set({ time_expires: time, reconcile_at: time })
      .where('id', 'in', oldest)
      .execute()
  }
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

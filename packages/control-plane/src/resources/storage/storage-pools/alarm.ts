import type { Db } from '../../../kernel/db/database.ts'

/**
 * Sets the alarm of the pools that a host did not reach when it was last asked, because it answers
 * again; until they are looked at, instances with disks there are placed elsewhere.
 */
export async function setPoolAlarms(db: Db, now: Date, serial: string): Promise<void> {
  await db
    .updateTable('storage_pool')
    .set({ reconcile_at: now.toISOString() })
    .where('time_deleted', 'is', null)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('storage_pool_host')
        .select('storage_pool_id')
        .where('serial', '=', serial)
        .where('problem', 'is not', null),
    )
    .execute()
}

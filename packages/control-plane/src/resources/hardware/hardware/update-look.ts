import type { Db } from '../../../kernel/db/database.ts'

/** Makes the update due, because the hardware has changed. */
export const lookAtSoftware = (db: Db, now: Date): Promise<unknown> =>
  db.updateTable('system_update').set({ reconcile_at: now.toISOString() }).execute()

/** The same while an update is in progress, because something that it waits for may have happened. */
export const lookAtUpdates = (db: Db, now: Date): Promise<unknown> =>
  db
    .updateTable('system_update')
    .set({ reconcile_at: now.toISOString() })
    .where('state', '=', 'in_progress')
    .execute()

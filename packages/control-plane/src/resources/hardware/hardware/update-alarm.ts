import type { Db } from '../../../kernel/db/database.ts'

/** Sets the alarm of the update, because the hardware has changed. */
export const setUpdateAlarm = (db: Db, now: Date): Promise<unknown> =>
  db.updateTable('system_update').set({ reconcile_at: now.toISOString() }).execute()

/** The same while an update is in progress, because a condition it waits for may be met. */
export const setRunningUpdateAlarm = (db: Db, now: Date): Promise<unknown> =>
  db
    .updateTable('system_update')
    .set({ reconcile_at: now.toISOString() })
    .where('state', '=', 'in_progress')
    .execute()

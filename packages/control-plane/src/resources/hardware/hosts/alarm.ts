import type { Db } from '../../../kernel/db/database.ts'

/** Sets the alarm of the host behind a sled, because the sled has changed. */
export const setHostAlarm = (db: Db, serial: string, now: Date): Promise<unknown> =>
  db
    .updateTable('host')
    .set({ reconcile_at: now.toISOString() })
    .where('serial', '=', serial)
    .where('time_deleted', 'is', null)
    .execute()

import type { Db } from '../../../kernel/db/database.ts'

/**
 * Sets the alarm of hosts, because a rack has changed: of those that wait for it, and of the one
 * behind a sled.
 */
export const setHostAlarms = (db: Db, now: Date, serial?: string): Promise<unknown> =>
  db
    .updateTable('host')
    .set({ reconcile_at: now.toISOString() })
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'joining'),
        ...(serial === undefined ? [] : [eb('serial', '=', serial)]),
      ]),
    )
    .execute()

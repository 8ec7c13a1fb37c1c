import type { Updateable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { JobTable } from './table.ts'
import { emitTo } from '../../kernel/work.ts'
import type { JobRow } from './view.ts'

/** Emits the event of a changed job, which only the user who made the job may know of. */
export const jobChanged = (
  db: Db,
  job: JobRow,
  change: 'create' | 'update' | 'delete',
  now: Date,
): Promise<void> => emitTo(db, now)('job', change, { ...job, name: job.name ?? job.action })

/** Writes new values of a job, and emits the event. */
export async function changeJob(
  db: Db,
  row: JobRow,
  values: Updateable<JobTable>,
  now: Date,
  change: 'update' | 'delete' = 'update',
): Promise<JobRow> {
  const changed = { ...row, ...values, untold: 0 as const, time_told: now.toISOString() }
  await db.updateTable('job').set(changed).where('id', '=', row.id).execute()
  await jobChanged(db, changed, change, now)
  return changed
}

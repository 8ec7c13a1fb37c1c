import type { Updateable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { JobTable } from './table.ts'
import { emitTo } from '../../kernel/work.ts'
import type { JobRow } from './view.ts'

/** Tells the user who made a job, and nobody else, that it has changed. */
export const jobChanged = (
  db: Db,
  job: JobRow,
  change: 'create' | 'update' | 'delete',
  now: Date,
): Promise<void> => emitTo(db, now)('job', change, { ...job, name: job.name ?? job.action })

/** Writes new values of a job, and the event that says so. */
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

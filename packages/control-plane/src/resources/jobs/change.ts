import type { Updateable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { JobTable } from '../../kernel/db/schema.ts'
import { writeChange } from '../../kernel/events/outbox.ts'
import type { JobRow } from './view.ts'

/** Tells the maker of a job, and nobody else, that it has changed. */
export const jobChanged = (
  db: Db,
  { id, name, action, project_id, user_id }: JobRow,
  change: 'create' | 'update' | 'delete',
  now: Date,
): Promise<void> =>
  writeChange(
    db,
    {
      resource: 'jobs',
      action: change,
      resource_id: id,
      name: name ?? action,
      project_id,
      user_id,
    },
    now,
  )

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

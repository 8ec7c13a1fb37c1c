import type { Updateable } from 'kysely'
import type { JobTable } from './table.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { JobRow } from './wire.ts'

/** Emits the event of a changed job, which only the user who started it may see. */
export const jobChanged = (
  { emit }: Pick<Writing, 'emit'>,
  job: JobRow,
  change: 'create' | 'update' | 'delete',
): Promise<void> => emit('job', change, { ...job, name: job.name ?? job.action })

/** Writes new values of a job, and emits the event. */
export async function changeJob(
  writing: Writing,
  row: JobRow,
  values: Updateable<JobTable>,
  change: 'update' | 'delete' = 'update',
): Promise<JobRow> {
  const { db, now } = writing
  const changed = { ...row, ...values, untold: 0 as const, time_told: now.toISOString() }
  await changeRow(db, 'job', row.id, changed)
  await jobChanged(writing, changed, change)
  return changed
}

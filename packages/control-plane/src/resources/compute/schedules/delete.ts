import { rowsOf } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import type { ScheduleRow } from './wire.ts'

/** Deletes a schedule with its runs. The snapshots that it made stay, and no retention applies. */
export async function deleteSchedule(writing: Writing, schedule: ScheduleRow): Promise<void> {
  const { db } = writing
  const runs = db.selectFrom('schedule_run').select('id').where('schedule_id', '=', schedule.id)
  await db.deleteFrom('schedule_run_item').where('run_id', 'in', runs).execute()
  for (const table of ['schedule_run', 'schedule_target', 'schedule_snapshot'] as const) {
    await db.deleteFrom(table).where('schedule_id', '=', schedule.id).execute()
  }
  await deleteRow(writing, 'schedule', schedule)
}

/** Deletes the schedules of a project that is about to be deleted. */
export async function deleteSchedulesOf(writing: Writing, projectId: string): Promise<void> {
  const schedules = await rowsOf(writing.db, 'schedule')
    .selectAll()
    .where('its.project_id', '=', projectId)
    .execute()
  for (const schedule of schedules) await deleteSchedule(writing, schedule)
}

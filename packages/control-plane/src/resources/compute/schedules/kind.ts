import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import { type StoredKind, rowsOf } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import {
  described,
  nullableText,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { scheduleTables } from './table.ts'
import { type ScheduleRow, toWireSchedules } from './wire.ts'

/** Deletes a schedule with its runs. The snapshots that it made stay, and no retention applies. */
export async function deleteSchedule(writing: Writing, schedule: ScheduleRow): Promise<void> {
  const { db } = writing
  const runs = db.selectFrom('schedule_run').select('id').where('schedule_id', '=', schedule.id)
  await db.deleteFrom('job_item').where('job_id', 'in', runs).execute()
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

export const schedule: StoredKind<'schedule'> = {
  tables: scheduleTables,
  live: '1 = 1',
  search: searchOf('schedule_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      action: text('action'),
      state: text('state'),
      time_next: nullableText('time_next'),
      last_result: nullableText('last_result'),
    },
    filters: {
      action: oneOf('action'),
      state: oneOf('state'),
      last_result: oneOf('last_result'),
    },
    toWire: (rows: ScheduleRow[], { db }) => toWireSchedules(db, rows),
  }),
  steps: {
    delete: stepOn('schedule', 'schedule_delete', deleteSchedule),
  },
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'project',
      relation: 'goes',
      pairs: sql`select id, project_id as owner_id from schedule`,
      reason: deletionSentences.partOfProject,
    },
  ],
}

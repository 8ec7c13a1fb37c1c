import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { ScheduleRow } from './wire.ts'

/** Writes new values of a schedule, and emits the event. */
export async function changeSchedule(
  { db, emit }: Pick<Writing, 'db' | 'emit'>,
  row: ScheduleRow,
  values: Partial<ScheduleRow>,
): Promise<ScheduleRow> {
  await changeRow(db, 'schedule', row.id, values)
  const changed = { ...row, ...values }
  await emit('schedule', 'update', changed)
  return changed
}

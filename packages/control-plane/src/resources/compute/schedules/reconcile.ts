/** Runs schedules at their times, and goes on with runs that have begun. */
import { nextRun } from '@steading/api/recurrence'
import type { Db } from '../../../kernel/db/database.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { mandateOfAuthor } from '../../identity/access-tokens/mandate.ts'
import { advanceRun, advance } from './advance.ts'
import { beginRun } from './begin.ts'
import { alarmOf, recurrenceOf, type RunRow, type ScheduleRow } from './wire.ts'

const runningOf = (db: Db, scheduleId: string): Promise<RunRow | undefined> =>
  db
    .selectFrom('schedule_run')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('state', '=', 'running')
    .executeTakeFirst()

/** The values of a schedule whose time has come: all times until now are run once. */
function afterDue(schedule: ScheduleRow, due: string, now: Date): Partial<ScheduleRow> {
  const from = new Date(Math.max(now.getTime(), Date.parse(due)))
  const next = nextRun(recurrenceOf(schedule), from)
  return {
    time_last: due,
    time_next: next?.toISOString() ?? null,
    state: next ? 'active' : 'ended',
  }
}

/** Begins the run of a schedule that is due, and its first items. */
async function beginDue(
  services: ControlPlaneServices,
  step: Step<'schedule'>,
  id: string,
): Promise<void> {
  const { now } = step
  await services.database.transaction(async (tx) => {
    const row = await findRow(tx, 'schedule', id)
    if (!row) return
    const due = row.time_next
    if (due === null || due > now.toISOString() || (await runningOf(tx, id))) {
      // It was changed since it was claimed.
      return step.end(tx, alarmOf(row))
    }
    const { run, schedule } = await beginRun(writingIn(tx, now), row, {
      cause: 'due',
      due,
      mandate: mandateOfAuthor(row),
      values: afterDue(row, due, now),
    })
    const isRunning = run.state === 'running'
    const next = isRunning ? await advance({ services, schedule, run, now }, tx) : alarmOf(schedule)
    await step.end(tx, next)
  })
  step.wake('snapshot')
  step.wake('instance')
}

/**
 * The next time of an active schedule. It is earlier than the stored one if that was computed while
 * the clock was ahead.
 */
function nextOf(row: ScheduleRow, now: Date): string | null {
  if (row.time_next === null || row.cron === null) return row.time_next
  const after = Math.max(now.getTime(), row.time_last === null ? 0 : Date.parse(row.time_last))
  const next = nextRun(recurrenceOf(row), new Date(after))?.toISOString()
  return next !== undefined && next < row.time_next ? next : row.time_next
}

async function reconcileSchedule(
  services: ControlPlaneServices,
  step: Step<'schedule'>,
  row: ScheduleRow,
): Promise<void> {
  const { db } = services.database
  const run = await runningOf(db, row.id)
  if (run) return advanceRun(services, step, row, run)
  if (row.time_next !== null && row.time_next <= step.now.toISOString()) {
    return beginDue(services, step, row.id)
  }
  const next = nextOf(row, step.now)
  if (next === row.time_next) return step.end(db, alarmOf(row))
  await services.database.concurrently(async (tx) => {
    const { time_modified, time_next } = row
    const changed = await step.end(tx, alarmOf({ time_next: next }), {
      values: { time_next: next },
      unchanged: { time_modified, time_next },
    })
    if (changed) return writingIn(tx, step.now).emit('schedule', 'update', changed)
    // It was changed since it was claimed.
    await step.end(tx, step.now)
  })
}

export const scheduleReconciliation = (
  services: () => ControlPlaneServices,
): Reconciliation<'schedule'> => ({
  table: 'schedule',
  reconcile: (step, row) => reconcileSchedule(services(), step, row),
})

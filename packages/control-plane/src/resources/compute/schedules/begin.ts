/** Begins the run of a schedule, in a transaction of the caller. */
import {
  type ScheduleCauseName,
  scheduleMessages,
  type ScheduleRunStateName,
} from '@steading/api/rules'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { stepForbidden } from '../../../kernel/step-permission.ts'
import type { Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { loadMandate, type Mandate } from '../../identity/access-tokens/mandate.ts'
import { storeItems } from '../../workspace/jobs/items.ts'
import { changeSchedule } from './change.ts'
import { planItems } from './plan.ts'
import type { RunRow, ScheduleRow } from './wire.ts'

/** The reason why a user may not run a schedule; undefined if the user may. */
export function forbiddenRun(
  { action }: Pick<ScheduleRow, 'action'>,
  project: Pick<Row<'project'>, 'id' | 'silo_id'>,
  actor: Actor,
): string | undefined {
  const scope = { siloId: project.silo_id, projectId: project.id }
  const kind = action === 'snapshot' ? 'disk' : 'instance'
  const forbidden =
    actor.siloId !== project.silo_id || stepForbidden(actor, action, kind, scope) !== undefined
  return forbidden ? scheduleMessages.mayNot(actor.displayName) : undefined
}

/** The reason why a run has nobody left to act for. */
export const withoutActor = ({ token_id }: Pick<Mandate, 'token_id'>): string =>
  token_id === null ? scheduleMessages.noAuthor : scheduleMessages.noToken

async function refusal(
  db: Db,
  schedule: ScheduleRow,
  mandate: Mandate,
  actor: Actor | undefined,
): Promise<string | undefined> {
  if (!actor) return withoutActor(mandate)
  const project = await readRow(db, 'project', schedule.project_id, 'id', 'silo_id')
  return forbiddenRun(schedule, project, actor)
}

interface Beginning {
  cause: ScheduleCauseName
  /** The time for which it runs. */
  due: string
  mandate: Mandate
  /** Values of the schedule that change with it. */
  values?: Partial<ScheduleRow>
}

/**
 * Inserts a run with its items. A run that cannot begin, because its user may not or there are no
 * targets, has failed at once.
 */
export async function beginRun(
  writing: Writing,
  schedule: ScheduleRow,
  { cause, due, mandate, values }: Beginning,
): Promise<{ run: RunRow; schedule: ScheduleRow }> {
  const { db, now } = writing
  const time = now.toISOString()
  const actor = await loadMandate(db, mandate, now)
  let reason = await refusal(db, schedule, mandate, actor)
  let items: PlannedStep[] = []
  if (reason === undefined) ({ items, reason } = await planItems(db, schedule, now))
  const state: ScheduleRunStateName = reason === undefined ? 'running' : 'failed'
  const run: RunRow = {
    id: crypto.randomUUID(),
    schedule_id: schedule.id,
    number: schedule.runs + 1,
    cause,
    time_due: due,
    time_started: time,
    time_finished: reason === undefined ? null : time,
    state,
    reason: reason ?? null,
    user_id: mandate.user_id,
    token_id: mandate.token_id,
    user_name: actor?.displayName ?? '',
    succeeded: 0,
    failed: 0,
    retained: 0,
  }
  await db.insertInto('schedule_run').values(run).execute()
  await storeItems(db, run.id, items, { refused: 'failed' })
  const changed = await changeSchedule(writing, schedule, {
    ...values,
    runs: run.number,
    last_run_id: run.id,
    last_result: state,
    time_last_run: time,
    ...(reason !== undefined && failedBy(run, reason, time)),
  })
  return { run, schedule: changed }
}

/** The columns of a schedule after a failed run. */
export const failedBy = ({ number }: Pick<RunRow, 'number'>, reason: string, time: string) => ({
  failed_run: number,
  failed_reason: reason,
  time_failed: time,
})

/** Advances a run: its items, which are run like those of jobs, then the retention, then its end. */
import { SCHEDULE_RUNS_KEPT, scheduleMessages } from '@steading/api/rules'
import { createAuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { nextLook } from '../../../kernel/backoff.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { changeRow, countRows, findRow } from '../../../kernel/db/rows.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import { findLive } from '../../../kernel/kinds.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { beginItems, endItems, hasOpen } from '../../workspace/jobs/advance-items.ts'
import { storeItems } from '../../workspace/jobs/items.ts'
import { observe } from '../../workspace/jobs/observe.ts'
import { type Outcome, takeStep } from '../../workspace/jobs/take-step.ts'
import { countItems, type JobItemRow } from '../../workspace/jobs/wire.ts'
import { failedBy, withoutActor } from './begin.ts'
import { changeSchedule } from './change.ts'
import { hasRetention, planRetention } from './retain.ts'
import { alarmOf, type RunRow, type ScheduleRow } from './wire.ts'

/** Maximum milliseconds between two looks at running items. */
const LATEST_MS = 10_000

interface Running {
  services: ControlPlaneServices
  schedule: ScheduleRow
  run: RunRow
  now: Date
}

/** Whether somebody else has removed a snapshot that the retention removes. */
async function isGone(tx: Tx, { step, thing_id }: JobItemRow): Promise<boolean> {
  if (step !== 'delete') return false
  const row = await findLive(tx, 'snapshot', thing_id, 'id')
  return row === undefined
}

async function takeItem(
  { services, schedule, run, now }: Running,
  tx: Tx,
  actor: Actor,
  item: JobItemRow,
): Promise<Outcome> {
  if (await isGone(tx, item)) return { values: { state: 'succeeded' } }
  const audit = createAuditContext()
  const { id, name, project_id: projectId } = schedule
  // The entry is also about the schedule, and so in its history.
  audit.note({ kind: 'schedule', id, name, siloId: actor.siloId, projectId })
  const outcome = await takeStep(services, tx, item, {
    actor,
    now,
    origin: {
      requestId: run.id,
      uri: `/x/v1/schedules/${id}/runs/${run.id}`,
      sourceIp: '',
      userAgent: `schedule ${name}`,
    },
    audit,
  })
  const { made_id } = outcome.values
  if (item.step === 'snapshot' && made_id) {
    await tx
      .insertInto('schedule_snapshot')
      .values({
        snapshot_id: made_id,
        schedule_id: id,
        disk_id: item.thing_id,
        number: run.number,
      })
      .execute()
  }
  return outcome
}

/** The reason for the failure of a run: that of its item, or the first one of several. */
async function failureOf(tx: Tx, runId: string, failed: number, all: number): Promise<string> {
  const first = await tx
    .selectFrom('job_item')
    .select(['thing_name', 'reason'])
    .where('job_id', '=', runId)
    .where('state', '=', 'failed')
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow()
  const reason = `${first.thing_name}: ${first.reason}`
  return all === 1 ? reason : `${scheduleMessages.itemsFailed(failed, all)}, first ${reason}`
}

/** Removes the runs of a schedule that are kept no longer. */
async function dropOldRuns(tx: Tx, { id, runs }: ScheduleRow): Promise<void> {
  const old = tx
    .selectFrom('schedule_run')
    .select('id')
    .where('schedule_id', '=', id)
    .where('number', '<=', runs - SCHEDULE_RUNS_KEPT)
  await tx.deleteFrom('job_item').where('job_id', 'in', old).execute()
  await tx
    .deleteFrom('schedule_run')
    .where('schedule_id', '=', id)
    .where('number', '<=', runs - SCHEDULE_RUNS_KEPT)
    .execute()
}

async function finish({ schedule, run, now }: Running, tx: Tx): Promise<void> {
  const time = now.toISOString()
  const { succeeded, failed } = await countItems(tx, run.id)
  const reason = failed > 0 ? await failureOf(tx, run.id, failed, succeeded + failed) : null
  const state = reason === null ? 'succeeded' : 'failed'
  await changeRow(tx, 'schedule_run', run.id, {
    state,
    reason,
    succeeded,
    failed,
    time_finished: time,
  })
  await dropOldRuns(tx, schedule)
  await changeSchedule(writingIn(tx, now), schedule, {
    last_result: state,
    ...(reason === null
      ? { failed_run: null, failed_reason: null, time_failed: null }
      : failedBy(run, reason, time)),
  })
}

/** Adds the removals of the retention to a run, after all other items. */
async function addRemovals(tx: Tx, runId: string, removals: readonly PlannedStep[]): Promise<void> {
  const items = tx.selectFrom('job_item').where('job_id', '=', runId)
  await storeItems(tx, runId, removals, { first: await countRows(items) })
  await changeRow(tx, 'schedule_run', runId, { retained: 1 })
}

/**
 * Advances the items of a run, and ends it if all of them have ended.
 * @param removals by the retention, once all other items have ended
 * @returns when the schedule is due again
 */
export async function advance(
  running: Running,
  tx: Tx,
  removals?: readonly PlannedStep[],
): Promise<Date | null> {
  const { schedule, run, now } = running
  if (removals) await addRemovals(tx, run.id, removals)
  const { newest } = await endItems(tx, run.id, now)
  const began = await beginItems(tx, run, now, {
    abandon: { to: 'failed', reason: withoutActor(run) },
    take: (actor, item) => takeItem(running, tx, actor, item),
  })
  if (await hasOpen(tx, run.id)) return began ? now : nextLook(newest, now, LATEST_MS)
  if (!removals && hasRetention(schedule, run)) return now
  await finish(running, tx)
  return alarmOf(schedule)
}

/** Takes the next step of a run, and ends the claim of its schedule. */
export async function advanceRun(
  services: ControlPlaneServices,
  step: Step<'schedule'>,
  schedule: ScheduleRow,
  run: RunRow,
): Promise<void> {
  const { db, transaction } = services.database
  const { now } = step
  const { waiting, running } = await countItems(db, run.id)
  if (waiting === 0 && running > 0) {
    // Most looks find nothing new, and thousands of runs may look at the same time.
    const { ended, newest } = await observe(db, run.id, now)
    if (ended.length === 0) return step.end(db, nextLook(newest, now, LATEST_MS))
  }
  const isRetaining = waiting + running === 0 && hasRetention(schedule, run)
  // Before the transaction, because it reads the snapshots of every disk.
  const removals = isRetaining ? await planRetention(db, schedule, run) : undefined
  await transaction(async (tx) => {
    const current = await findRow(tx, 'schedule', schedule.id)
    if (!current) return
    await step.end(tx, await advance({ services, schedule: current, run, now }, tx, removals))
  })
  step.wake('snapshot')
  step.wake('instance')
}

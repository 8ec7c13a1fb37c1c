/**
 * Advances a run: observes its running items, begins waiting ones, applies the retention, and ends.
 * The changes of a step and the state of its item commit in one transaction, so each item is done
 * exactly once, even if the process is killed.
 */
import { SCHEDULE_RUNS_KEPT, scheduleMessages } from '@steading/api/rules'
import { nextLook } from '../../../kernel/backoff.ts'
import { type Entry, writeEntries } from '../../../kernel/audit/entry.ts'
import { createAuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { findLive } from '../../../kernel/kinds.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { changeRow, countRowsBy, findRow } from '../../../kernel/db/rows.ts'
import { loadMandate } from '../../identity/access-tokens/mandate.ts'
import { type Ended, type Observation, observe } from '../../workspace/jobs/observe.ts'
import { type ItemValues, takeStep } from '../../workspace/jobs/take-step.ts'
import { failedBy, withoutActor } from './begin.ts'
import { changeSchedule } from './change.ts'
import type { PlannedItem } from './plan.ts'
import { hasRetention, planRetention } from './retain.ts'
import { alarmOf, type RunItemRow, type RunRow, type ScheduleRow } from './wire.ts'

/** Rows per statement. */
const CHUNK = 200
/** Most items in one transaction, and the milliseconds after which it begins no further groups. */
const BATCH = 64
const BATCH_MS = 20
/** Maximum milliseconds between two looks at running items. */
const LATEST_MS = 10_000

interface Running {
  services: ControlPlaneServices
  schedule: ScheduleRow
  run: RunRow
  now: Date
}

const inState = (db: Db, runId: string, state: 'waiting' | 'running') =>
  db
    .selectFrom('schedule_run_item')
    .where('run_id', '=', runId)
    .where('state', '=', state)
    .orderBy('position')

async function writeItem(
  tx: Db,
  runId: string,
  position: number,
  values: ItemValues,
  now: Date,
): Promise<void> {
  const time = now.toISOString()
  await tx
    .updateTable('schedule_run_item')
    .set((eb) => ({
      ...(values as Partial<RunItemRow>),
      time_started: eb.fn.coalesce('time_started', eb.val(time)),
      time_finished: values.state === 'running' ? null : time,
    }))
    .where('run_id', '=', runId)
    .where('position', '=', position)
    .execute()
}

/** Whether a snapshot that is to be removed was removed by somebody else. */
async function isGone(tx: Db, { step, thing_id }: RunItemRow): Promise<boolean> {
  if (step !== 'delete') return false
  const row = await findLive(tx, 'snapshot', thing_id, 'id')
  return row === undefined
}

async function beginItem(
  { services, schedule, run, now }: Running,
  tx: Tx,
  actor: Actor,
  item: RunItemRow,
): Promise<Entry | undefined> {
  if (await isGone(tx, item)) {
    await writeItem(tx, run.id, item.position, { state: 'succeeded' }, now)
    return undefined
  }
  const audit = createAuditContext()
  const { id, name, project_id: projectId } = schedule
  // The entry is also about the schedule, and so in its history.
  audit.note({ kind: 'schedule', id, name, siloId: actor.siloId, projectId })
  const { values, entry } = await takeStep(services, tx, item, {
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
  await writeItem(tx, run.id, item.position, values, now)
  if (item.step === 'snapshot' && values.made_id) {
    const made = { snapshot_id: values.made_id, disk_id: item.thing_id }
    await tx
      .insertInto('schedule_snapshot')
      .values({ ...made, schedule_id: id, number: run.number })
      .execute()
  }
  return entry
}

/**
 * Begins a batch of items. The disks of one instance are in one transaction, so that their
 * snapshots are taken together.
 */
async function beginItems(running: Running, tx: Tx): Promise<void> {
  const { run, now } = running
  const items = await inState(tx, run.id, 'waiting').selectAll().limit(BATCH).execute()
  if (items.length === 0) return
  const actor = await loadMandate(tx, run, now)
  if (!actor) {
    await tx
      .updateTable('schedule_run_item')
      .set({
        state: 'failed',
        reason: withoutActor(run),
        time_finished: now.toISOString(),
      })
      .where('run_id', '=', run.id)
      .where('state', '=', 'waiting')
      .execute()
    return
  }
  const began = performance.now()
  const entries: Entry[] = []
  let instance: string | null = null
  for (const item of items) {
    const isSameGroup = instance !== null && item.instance_id === instance
    if (!isSameGroup && performance.now() - began > BATCH_MS) break
    instance = item.instance_id
    const entry = await beginItem(running, tx, actor, item)
    if (entry) entries.push(entry)
  }
  await writeEntries(tx, entries)
}

async function endItems(tx: Tx, runId: string, ended: readonly Ended[], now: Date): Promise<void> {
  for (const { position, reason } of ended) {
    const values = reason === null ? { state: 'succeeded' as const } : failed(reason)
    await writeItem(tx, runId, position, values, now)
  }
}
const failed = (reason: string) => ({ state: 'failed' as const, reason })

async function countEnded(tx: Db, runId: string): Promise<{ succeeded: number; failed: number }> {
  const items = tx.selectFrom('schedule_run_item').where('run_id', '=', runId)
  const counts = await countRowsBy(items, 'state')
  return { succeeded: counts.get('succeeded') ?? 0, failed: counts.get('failed') ?? 0 }
}

/** The reason for the failure of a run: that of its item, or the first one of several. */
async function failureOf(tx: Db, runId: string, failed: number, all: number): Promise<string> {
  const first = await tx
    .selectFrom('schedule_run_item')
    .select(['thing_name', 'reason'])
    .where('run_id', '=', runId)
    .where('state', '=', 'failed')
    .orderBy('position')
    .limit(1)
    .executeTakeFirstOrThrow()
  const reason = `${first.thing_name}: ${first.reason}`
  return all === 1 ? reason : `${scheduleMessages.itemsFailed(failed, all)}, first ${reason}`
}

/** Removes the runs of a schedule that are kept no longer. */
async function dropOldRuns(tx: Db, { id, runs }: ScheduleRow): Promise<void> {
  const old = tx
    .selectFrom('schedule_run')
    .select('id')
    .where('schedule_id', '=', id)
    .where('number', '<=', runs - SCHEDULE_RUNS_KEPT)
  await tx.deleteFrom('schedule_run_item').where('run_id', 'in', old).execute()
  await tx
    .deleteFrom('schedule_run')
    .where('schedule_id', '=', id)
    .where('number', '<=', runs - SCHEDULE_RUNS_KEPT)
    .execute()
}

async function finish({ schedule, run, now }: Running, tx: Tx): Promise<void> {
  const time = now.toISOString()
  const { succeeded, failed } = await countEnded(tx, run.id)
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

/** Adds the removals of the retention to a run. */
async function addRemovals(tx: Tx, runId: string, removals: readonly PlannedItem[]): Promise<void> {
  const { last } = await tx
    .selectFrom('schedule_run_item')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  const rows = removals.map((item, index) => ({
    ...item,
    run_id: runId,
    position: Number(last) + 1 + index,
  }))
  for (let start = 0; start < rows.length; start += CHUNK) {
    await tx
      .insertInto('schedule_run_item')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
  await changeRow(tx, 'schedule_run', runId, { retained: 1 })
}

/** Number of items that have not ended, by their state. */
async function countOpen(db: Db, runId: string): Promise<{ waiting: number; running: number }> {
  const items = db.selectFrom('schedule_run_item').where('run_id', '=', runId)
  const open = items.where('state', 'in', ['waiting', 'running'])
  const counts = await countRowsBy(open, 'state')
  return { waiting: counts.get('waiting') ?? 0, running: counts.get('running') ?? 0 }
}

const observed = (db: Db, { run, now }: Running): Promise<Observation> =>
  observe(db, { table: 'schedule_run_item', of: 'run_id', id: run.id }, now)

/**
 * Begins items of a run, and ends it if all of them have ended.
 * @param removals by the retention, which come after all other items
 * @returns when the schedule is due again
 */
export async function advance(
  running: Running,
  tx: Tx,
  removals?: readonly PlannedItem[],
): Promise<Date | null> {
  const { schedule, run, now } = running
  if (removals?.length) await addRemovals(tx, run.id, removals)
  await beginItems(running, tx)
  // Some items have nothing to do, such as the start of an instance that runs.
  await endItems(tx, run.id, (await observed(tx, running)).ended, now)
  const open = await countOpen(tx, run.id)
  if (open.waiting > 0) return now
  if (open.running > 0) return nextLook(run.time_started, now, LATEST_MS)
  if (removals === undefined && hasRetention(schedule, run)) return now
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
  const running = { services, schedule, run, now }
  const { ended } = await observed(db, running)
  const open = await countOpen(db, run.id)
  if (ended.length === 0 && open.waiting === 0 && open.running > 0) {
    return step.end(db, nextLook(run.time_started, now, LATEST_MS))
  }
  const isLast = open.waiting === 0 && ended.length === open.running
  const isRetaining = isLast && hasRetention(schedule, run)
  const removals = isRetaining ? await planRetention(db, schedule, run, ended) : undefined
  await transaction(async (tx) => {
    const current = await findRow(tx, 'schedule', schedule.id)
    if (!current) return
    await endItems(tx, run.id, ended, now)
    await step.end(tx, await advance({ ...running, schedule: current }, tx, removals))
  })
  step.wake('snapshot')
  step.wake('instance')
}

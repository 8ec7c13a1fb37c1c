/** Creates and changes schedules. */
import type { Wire } from '@steading/api'
import { nextRun, type Recurrence, recurrenceProblem } from '@steading/api/recurrence'
import {
  type Retention,
  retentionProblem,
  type ScheduleActionName,
  scheduleMessages,
  SCHEDULES_MAX,
  SCHEDULE_TARGETS_MAX,
  scheduleTargets,
} from '@steading/api/rules'
import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { fail } from '../../../kernel/errors.ts'
import { fewPerTurn } from '../../../kernel/event-loop.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { ifNamed, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { requireSnapshottable } from '../../storage/snapshots/create.ts'
import { authoredBy } from '../../identity/access-tokens/mandate.ts'
import { changeSchedule } from './change.ts'
import { retentionColumn, type ScheduleTargetTable } from './table.ts'
import { recurrenceOf, type ScheduleRow } from './wire.ts'

type Saving = Context<'schedule_create' | 'schedule_update'>
type Target = Omit<ScheduleTargetTable, 'schedule_id'>

/** @throws ApiError 400 */
function requireRecurrence(recurrence: Recurrence, action: ScheduleActionName, now: Date): void {
  const problem = recurrenceProblem(recurrence, action, now)
  if (problem) throw fail.invalidValue(`recurrence.${problem.field}`, problem.message)
}

/** @throws ApiError 400 */
function requireRetention(retention: Retention | null, action: ScheduleActionName): void {
  if (retention === null) return
  const problem =
    action === 'snapshot' ? retentionProblem(retention) : scheduleMessages.retentionAction
  if (problem) throw fail.invalidValue('retention', problem)
}

/** @throws ApiError 400 */
function requireTargetKinds(action: ScheduleActionName, targets: readonly Pick<Target, 'kind'>[]) {
  const possible = scheduleTargets(action)
  if (targets.some(({ kind }) => !possible.includes(kind))) {
    throw fail.invalidValue('targets', scheduleMessages.targetKind(action))
  }
}

async function findTarget(
  ctx: Saving,
  projectId: string,
  target: Wire.ScheduleTargetSelector,
): Promise<Target> {
  const { kind } = target
  if (kind === 'tag') return { kind, target: target.tag }
  const selector = kind === 'instance' ? target.instance : target.disk
  const parents = ifNamed(selector, { project: projectId })
  const row =
    kind === 'instance'
      ? await lookup(ctx, 'instance', selector, parents)
      : await lookup(ctx, 'disk', selector, parents)
  if (row.project_id !== projectId) {
    throw fail.invalidValue('targets', scheduleMessages.otherProject)
  }
  return { kind, target: row.id }
}

/**
 * Looks up the targets of a schedule, without repetitions.
 * @throws ApiError 400 for none, too many, or one that cannot have the action; 404
 */
async function findTargets(
  ctx: Saving,
  projectId: string,
  action: ScheduleActionName,
  given: readonly Wire.ScheduleTargetSelector[],
): Promise<Target[]> {
  const says = scheduleMessages
  if (given.length === 0) throw fail.invalidValue('targets', says.noTargets)
  if (given.length > SCHEDULE_TARGETS_MAX) throw fail.invalidValue('targets', says.tooManyTargets)
  requireTargetKinds(action, given)
  const found = new Map<string, Target>()
  for await (const one of fewPerTurn(given)) {
    const target = await findTarget(ctx, projectId, one)
    found.set(`${target.kind} ${target.target}`, target)
  }
  const targets = [...found.values()]
  await requireSnapshottableDisks(ctx.db, targets)
  return targets
}

/** @throws ApiError 400 for a disk of which there can never be a snapshot */
async function requireSnapshottableDisks(db: Db, targets: readonly Target[]): Promise<void> {
  const ids = targets.flatMap(({ kind, target }) => (kind === 'disk' ? [target] : []))
  if (ids.length === 0) return
  const disks = await rowsOf(db, 'disk').selectAll().where('its.id', 'in', ids).execute()
  // The state changes until a run, unlike the type and the mode.
  for (const disk of disks) requireSnapshottable({ ...disk, state: 'detached' })
}

async function writeTargets(db: Db, scheduleId: string, targets: readonly Target[]) {
  await db.deleteFrom('schedule_target').where('schedule_id', '=', scheduleId).execute()
  await db
    .insertInto('schedule_target')
    .values(targets.map((target) => ({ ...target, schedule_id: scheduleId })))
    .execute()
}

const columnsOf = (recurrence: Recurrence) =>
  recurrence.type === 'cron'
    ? { cron: recurrence.expression, time_zone: recurrence.time_zone, time_once: null }
    : { cron: null, time_zone: null, time_once: new Date(recurrence.time_due).toISOString() }

/** The next time of an active schedule, and the alarm of the row. */
function timesOf(recurrence: Recurrence, enabled: boolean, after: Date) {
  const time_next = enabled ? (nextRun(recurrence, after)?.toISOString() ?? null) : null
  return { state: enabled ? 'active' : 'paused', time_next, reconcile_at: time_next } as const
}

const written = (retention: Retention | null) =>
  retention === null ? null : retentionColumn.write(retention)

/** @throws ApiError 400, 404 for a target */
export async function createSchedule(
  ctx: Context<'schedule_create'>,
  project: Row<'project'>,
): Promise<ScheduleRow> {
  const { db, now, body, actor } = ctx
  const { name, action } = body
  const recurrence = body.recurrence as Recurrence
  const retention = (body.retention ?? null) as Retention | null
  requireRecurrence(recurrence, action, now)
  requireRetention(retention, action)
  const targets = await findTargets(ctx, project.id, action, body.targets)
  await requireFreeName(db, 'schedule', project.id, name)
  const count = await countRows(rowsOf(db, 'schedule').where('its.project_id', '=', project.id))
  if (count >= SCHEDULES_MAX) throw fail.invalidRequest(scheduleMessages.tooMany)
  const schedule = await insertNamed(ctx, 'schedule', body, {
    project_id: project.id,
    action,
    ...columnsOf(recurrence),
    retention: written(retention),
    ...timesOf(recurrence, body.enabled ?? true, now),
    ...authoredBy(actor),
    time_last: null,
    runs: 0,
    last_run_id: null,
    last_result: null,
    time_last_run: null,
    failed_run: null,
    failed_reason: null,
    time_failed: null,
    ...unclaimed,
  })
  await writeTargets(db, schedule.id, targets)
  ctx.afterCommit(async () => ctx.services.reconciler.wake('schedule'))
  return schedule
}

/** The state and the times of a changed schedule. */
function timesAfterUpdate(
  schedule: ScheduleRow,
  { recurrence: given, enabled }: Wire.ScheduleUpdate,
  action: ScheduleActionName,
  now: Date,
): Partial<ScheduleRow> {
  const wanted = enabled ?? schedule.state !== 'paused'
  if (given) {
    const recurrence = given as Recurrence
    requireRecurrence(recurrence, action, now)
    return { ...columnsOf(recurrence), ...timesOf(recurrence, wanted, now), time_last: null }
  }
  const recurrence = recurrenceOf(schedule)
  const hasEnded = recurrence.type === 'once' && schedule.time_last !== null
  if (hasEnded) {
    if (enabled === true) throw fail.invalidRequest(scheduleMessages.ended)
    return {}
  }
  if (action !== schedule.action) requireRecurrence(recurrence, action, now)
  if (wanted === (schedule.state === 'active')) return {}
  if (wanted) requireRecurrence(recurrence, action, now)
  // A clock that was set back repeats no run.
  const last = schedule.time_last === null ? 0 : Date.parse(schedule.time_last)
  return timesOf(recurrence, wanted, new Date(Math.max(now.getTime(), last)))
}

/** @throws ApiError 400, 404 for a target */
export async function updateSchedule(
  ctx: Context<'schedule_update'>,
  schedule: ScheduleRow,
): Promise<ScheduleRow> {
  const { db, now, body, actor } = ctx
  const name = body.name ?? schedule.name
  const action = body.action ?? schedule.action
  // Another action drops the retention.
  const before =
    action === 'snapshot' && schedule.retention !== null
      ? retentionColumn.read(schedule.retention)
      : null
  const retention = body.retention === undefined ? before : (body.retention as Retention | null)
  requireRetention(retention, action)
  const times = timesAfterUpdate(schedule, body, action, now)
  if (name !== schedule.name) await requireFreeName(db, 'schedule', schedule.project_id, name)
  if (body.targets) {
    const targets = await findTargets(ctx, schedule.project_id, action, body.targets)
    await writeTargets(db, schedule.id, targets)
  } else if (action !== schedule.action) {
    const targets = await db
      .selectFrom('schedule_target')
      .select('kind')
      .where('schedule_id', '=', schedule.id)
      .execute()
    requireTargetKinds(action, targets)
  }
  ctx.afterCommit(async () => ctx.services.reconciler.wake('schedule'))
  return changeSchedule(ctx, schedule, {
    ...named(name),
    description: body.description ?? schedule.description,
    time_modified: now.toISOString(),
    action,
    retention: written(retention),
    ...authoredBy(actor),
    ...times,
  })
}

/**
 * Runs the steps of jobs. The runner is a reconciliation: it claims a job, runs some of its items,
 * and ends the claim; it keeps no state in memory alone. The changes of an operation and the state
 * of its item commit in one transaction, so each item is done exactly once, even if the process is
 * killed.
 */
import { deletionWaitsFor, JOB_EVENT_MS, JOB_RUNNING_MAX } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import { type Entry, type Origin, writeEntries } from '../../../kernel/audit/entry.ts'
import { originOf } from '../../../kernel/audit/origin.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { nextLook } from '../../../kernel/backoff.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { jobCounts, type JobTable } from './table.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { changeRow, countRows } from '../../../kernel/db/rows.ts'
import { loadMandate } from '../../identity/access-tokens/mandate.ts'
import { changeJob } from './change.ts'
import { deleteItems, prepareItems } from './items.ts'
import { type Ended, observe } from './observe.ts'
import type { StepItem } from './call-step.ts'
import { type ItemValues, takeStep } from './take-step.ts'
import { countItems, type JobItemRow, type JobRow, tagsOfJob } from './wire.ts'

/** How long a job runs before other due jobs get a turn, in milliseconds. */
const TURN_MS = 500
/** Most items in one transaction, and the milliseconds after which it begins no further items. */
const BATCH = 64
const BATCH_MS = 30
/** Maximum milliseconds between two looks at running items. */
const LATEST_MS = 2_000

/** Writes new values of items; items with the same values are written together. */
async function writeItems(
  tx: Db,
  jobId: string,
  outcomes: [position: number, values: ItemValues][],
  now: Date,
): Promise<void> {
  const groups = new Map<string, { values: ItemValues; positions: number[] }>()
  for (const [position, values] of outcomes) {
    const key = JSON.stringify(values)
    const group = groups.get(key)
    if (group) group.positions.push(position)
    else groups.set(key, { values, positions: [position] })
  }
  const time = now.toISOString()
  for (const { values, positions } of groups.values()) {
    await tx
      .updateTable('job_item')
      .set((eb) => ({
        ...values,
        time_started: eb.fn.coalesce('time_started', eb.val(time)),
        time_finished: values.state === 'running' ? null : time,
      }))
      .where('job_id', '=', jobId)
      .where('position', 'in', positions)
      .execute()
  }
}

/** Records the end of running items. */
async function endItems(tx: Tx, jobId: string, ended: Ended[], now: Date): Promise<boolean> {
  const outcomes = ended.map(({ position, reason }): [number, ItemValues] => [
    position,
    reason === null ? { state: 'succeeded' } : { state: 'failed', reason },
  ])
  await writeItems(tx, jobId, outcomes, now)
  return outcomes.length > 0
}

const inState = (tx: Db, jobId: string, state: 'waiting' | 'running') =>
  tx
    .selectFrom('job_item')
    .where('job_id', '=', jobId)
    .where('state', '=', state)
    .orderBy('position')

/** The items that may begin now: those of the first unfinished stage. */
async function nextItems(tx: Db, jobId: string, running: number): Promise<JobItemRow[]> {
  const room = Math.min(BATCH, JOB_RUNNING_MAX - running)
  if (room <= 0) return []
  const waiting = await inState(tx, jobId, 'waiting').selectAll().limit(room).execute()
  if (waiting.length === 0) return []
  const first = await inState(tx, jobId, 'running').select('stage').limit(1).executeTakeFirst()
  const stage = Math.min(waiting[0]!.stage, first?.stage ?? Infinity)
  return waiting.filter((item) => item.stage === stage)
}

async function countRunning(tx: Db, jobId: string): Promise<number> {
  const count = await countRows(
    tx.selectFrom('job_item').where('job_id', '=', jobId).where('state', '=', 'running'),
  )
  return count
}

/**
 * The reason why an item is skipped: the item it needs has not succeeded. That item is in an
 * earlier stage, so it has ended.
 */
async function skipReason(
  tx: Db,
  { job_id, needs_position }: JobItemRow,
): Promise<string | undefined> {
  if (needs_position === null) return undefined
  const needed = await tx
    .selectFrom('job_item')
    .select(['state', 'thing_kind', 'thing_name'])
    .where('job_id', '=', job_id)
    .where('position', '=', needs_position)
    .executeTakeFirst()
  return !needed || needed.state === 'succeeded'
    ? undefined
    : deletionWaitsFor(needed.thing_kind, needed.thing_name)
}

/** Runs the operation of one item, unless the item that it needs has failed. */
async function begin(
  services: ControlPlaneServices,
  tx: Tx,
  actor: Actor,
  item: JobItemRow & StepItem,
  now: Date,
  origin: Origin,
): Promise<{ values: ItemValues; entry?: Entry }> {
  const { job_id } = item
  const spared = await skipReason(tx, item)
  if (spared) return { values: { state: 'failed', reason: spared } }
  return takeStep(services, tx, item, { actor, now, origin, jobId: job_id })
}

/**
 * Begins a batch of items. The job of a user who was deleted or deactivated, or of a token that has
 * ended, ends: its waiting items are cancelled, a piece at a time.
 */
async function beginItems(
  services: ControlPlaneServices,
  tx: Tx,
  job: JobRow,
  now: Date,
): Promise<boolean> {
  const items = await nextItems(tx, job.id, await countRunning(tx, job.id))
  if (items.length === 0) return false
  const actor = await loadMandate(tx, job, now)
  if (!actor) {
    await prepareItems(tx, job.id, 'abandon', now)
    return true
  }
  const tags = tagsOfJob(job)
  const began = performance.now()
  const origin = await originOf(tx, job.id, `/x/v1/jobs/${job.id}`)
  const outcomes: [number, ItemValues][] = []
  const entries: Entry[] = []
  for (const item of items) {
    const { values, entry } = await begin(services, tx, actor, { ...item, tags }, now, origin)
    outcomes.push([item.position, values])
    if (entry) entries.push(entry)
    if (performance.now() - began > BATCH_MS) break
  }
  await writeItems(tx, job.id, outcomes, now)
  await writeEntries(tx, entries)
  return true
}

/**
 * Writes the progress of a job to its row, and emits an event if the last one was long enough ago.
 * @param next when the job is due again, unless an event is due before
 */
async function writeProgress(
  tx: Db,
  job: JobRow,
  values: Updateable<JobTable>,
  progress: boolean,
  next: Date,
  now: Date,
): Promise<void> {
  const untold = progress || job.untold === 1
  const mayTell = Date.parse(job.time_told) + JOB_EVENT_MS
  if (untold && now.getTime() >= mayTell) {
    await changeJob(writingIn(tx, now), job, { ...values, reconcile_at: next.toISOString() })
    return
  }
  const at = untold ? Math.min(next.getTime(), mayTell) : next.getTime()
  await changeRow(tx, 'job', job.id, {
    ...values,
    untold: untold ? 1 : 0,
    reconcile_at: new Date(at).toISOString(),
  })
}

/**
 * Runs one transaction of a job.
 * @returns whether more can be done at once
 */
async function advance(
  services: ControlPlaneServices,
  row: JobRow,
  turnEnds: number,
): Promise<boolean> {
  const { database, clock } = services
  const now = clock()
  // One transaction for everything: SQLite has one connection, and between two transactions the
  // runner would wait for other work.
  return database.transaction(async (tx) => {
    const job = await tx
      .selectFrom('job')
      .selectAll()
      .where('id', '=', row.id)
      .where('state', '=', 'running')
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!job) return false
    const observation = await observe(tx, { table: 'job_item', of: 'job_id', id: job.id }, now)
    const ended = await endItems(tx, job.id, observation.ended, now)
    let began = false
    const values: Updateable<JobTable> = {}
    if (job.intent) {
      began = true
      if (await prepareItems(tx, job.id, job.intent, now)) values.intent = null
    } else {
      began = await beginItems(services, tx, job, now)
    }
    const left =
      (await inState(tx, job.id, 'waiting').select('position').limit(1).executeTakeFirst()) ??
      (await inState(tx, job.id, 'running').select('position').limit(1).executeTakeFirst())
    if (!left) {
      await changeJob(writingIn(tx, now), job, {
        ...values,
        intent: null,
        state: 'done',
        counts: jobCounts.write(await countItems(tx, job.id)),
        time_finished: now.toISOString(),
        reconcile_at: null,
      })
      return false
    }
    const isActive = began && performance.now() < turnEnds
    // No other step can claim the job during its turn, even if its alarm is due.
    const next = began ? now : nextLook(observation.newest, now, LATEST_MS)
    await writeProgress(tx, job, values, ended || began, next, now)
    return isActive
  })
}

/** Removes the rows of a deleted job. */
async function removeJob(
  { database: { db }, clock }: ControlPlaneServices,
  id: string,
  turnEnds: number,
) {
  for (;;) {
    if (await deleteItems(db, id)) {
      await db.deleteFrom('job').where('id', '=', id).execute()
      return
    }
    await yieldToEventLoop()
    if (performance.now() < turnEnds) continue
    await changeRow(db, 'job', id, { reconcile_at: clock().toISOString() })
    return
  }
}

/** Runs a claimed job for one turn. */
export async function runJob(services: ControlPlaneServices, row: JobRow): Promise<void> {
  const turnEnds = performance.now() + TURN_MS
  if (row.time_deleted !== null) return removeJob(services, row.id, turnEnds)
  const { feed, reconciler } = services
  let more = true
  while (more) {
    more = await advance(services, row, turnEnds)
    // As after any call that writes: rows may be due.
    feed.notify()
    reconciler.wake()
    await yieldToEventLoop()
  }
}

/**
 * Runs jobs. The runner is a reconciliation: it claims a job, runs some of its items, and ends the
 * claim; it keeps no state in memory alone.
 */
import { JOB_EVENT_MS, jobMessages } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import { originOf } from '../../../kernel/audit/origin.ts'
import { nextLook } from '../../../kernel/backoff.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { jobCounts, type JobTable } from './table.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { beginItems, endItems, hasOpen } from './advance-items.ts'
import { changeJob } from './change.ts'
import { changeItems, deleteItems, itemChanges } from './items.ts'
import { takeStep } from './take-step.ts'
import { countItems, type JobRow, tagsOfJob } from './wire.ts'

/** How long a job runs before other due jobs get a turn, in milliseconds. */
const TURN_MS = 500
/** Maximum milliseconds between two looks at running items. */
const LATEST_MS = 2_000

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
    const { ended, newest } = await endItems(tx, job.id, now)
    let began = false
    const values: Updateable<JobTable> = {}
    if (job.intent) {
      began = true
      if (await changeItems(tx, job.id, itemChanges[job.intent], now)) values.intent = null
    } else {
      const origin = await originOf(tx, job.id, `/x/v1/jobs/${job.id}`)
      const tags = tagsOfJob(job)
      const taking = { now, origin, jobId: job.id }
      began = await beginItems(tx, job, now, {
        abandon: { to: 'cancelled', reason: jobMessages.abandoned },
        take: (actor, item) => takeStep(services, tx, { ...item, tags }, { ...taking, actor }),
      })
    }
    if (!(await hasOpen(tx, job.id))) {
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
    const next = began ? now : nextLook(newest, now, LATEST_MS)
    await writeProgress(tx, job, values, ended.length > 0 || began, next, now)
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

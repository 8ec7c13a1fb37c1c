/** Writes the items of jobs in batches, so that other work gets a turn in between. */
import { type JobItemState, jobMessages } from '@steading/api/rules'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'

const INSERTED_AT_ONCE = 500
const CHANGED_AT_ONCE = 2_000

/** Stores a plan; each statement is its own transaction. */
export async function storeItems(db: Db, jobId: string, steps: PlannedStep[]): Promise<void> {
  const deletions = new Map(
    steps.flatMap(({ step, thing }, position) => (step === 'delete' ? [[thing.id, position]] : [])),
  )
  for (let start = 0; start < steps.length; start += INSERTED_AT_ONCE) {
    const some = steps.slice(start, start + INSERTED_AT_ONCE)
    await db
      .insertInto('job_item')
      .values(
        some.map(({ step, thing, stage, makes, dependsOn, refusal }, index) => ({
          job_id: jobId,
          position: start + index,
          stage,
          step,
          thing_kind: thing.kind,
          thing_id: thing.id,
          thing_name: thing.name,
          thing_inside: thing.inside ?? '',
          makes: makes ?? null,
          needs_position: (dependsOn ? deletions.get(dependsOn) : undefined) ?? null,
          state: refusal === undefined ? ('waiting' as const) : ('refused' as const),
          reason: refusal ?? null,
        })),
      )
      .execute()
    await yieldToEventLoop()
  }
}

const some = (db: Db, jobId: string, states?: JobItemState[]) => {
  const items = db.selectFrom('job_item').select('position').where('job_id', '=', jobId)
  return (states ? items.where('state', 'in', states) : items)
    .orderBy('position')
    .limit(CHANGED_AT_ONCE)
}

const intents = {
  cancel: { from: ['waiting'], to: 'cancelled', reason: null },
  abandon: { from: ['waiting'], to: 'cancelled', reason: jobMessages.abandoned },
  retry: { from: ['failed', 'cancelled'], to: 'waiting', reason: null },
} satisfies Record<string, { from: JobItemState[]; to: JobItemState; reason: string | null }>

/**
 * Changes a batch of the items of a job as its intent asks, or because its user is gone.
 * @returns whether no more items need changing
 */
export async function prepareItems(
  tx: Db,
  jobId: string,
  intent: keyof typeof intents,
  now: Date,
): Promise<boolean> {
  const { from, to, reason } = intents[intent]
  const { numUpdatedRows } = await tx
    .updateTable('job_item')
    .set({
      state: to,
      reason,
      made_id: null,
      time_started: null,
      time_finished: to === 'cancelled' ? now.toISOString() : null,
    })
    .where('job_id', '=', jobId)
    .where('position', 'in', some(tx, jobId, from))
    .executeTakeFirstOrThrow()
  return numUpdatedRows < CHANGED_AT_ONCE
}

/** @returns whether no more items need deleting */
export async function deleteItems(db: Db, jobId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('job_item')
    .where('job_id', '=', jobId)
    .where('position', 'in', some(db, jobId))
    .executeTakeFirstOrThrow()
  return numDeletedRows < CHANGED_AT_ONCE
}

/** Writes the items of jobs in batches, so that other work gets a turn in between. */
import type { JobItemState } from '@steading/api/rules'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'

const INSERTED_AT_ONCE = 500
const CHANGED_AT_ONCE = 2_000

/**
 * Stores a plan; each statement is its own transaction, unless the caller has one.
 * @param jobId the job, or the run of a schedule
 * @param options.first position of the first step
 * @param options.refused state of a step that is not possible
 */
export async function storeItems(
  db: Db,
  jobId: string,
  steps: readonly PlannedStep[],
  { first = 0, refused = 'refused' }: { first?: number; refused?: JobItemState } = {},
): Promise<void> {
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
          position: first + start + index,
          stage,
          step,
          thing_kind: thing.kind,
          thing_id: thing.id,
          thing_name: thing.name,
          thing_inside: thing.inside ?? '',
          makes: makes ?? null,
          needs_position: (dependsOn ? deletions.get(dependsOn) : undefined) ?? null,
          state: refusal === undefined ? ('waiting' as const) : refused,
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

/** A change of all items in some states. */
export interface ItemChange {
  from: JobItemState[]
  to: JobItemState
  reason: string | null
}

export const itemChanges = {
  cancel: { from: ['waiting'], to: 'cancelled', reason: null },
  retry: { from: ['failed', 'cancelled'], to: 'waiting', reason: null },
} satisfies Record<string, ItemChange>

/**
 * Changes a batch of items.
 * @param jobId the job, or the run of a schedule
 * @returns whether no more items need changing
 */
export async function changeItems(
  tx: Db,
  jobId: string,
  { from, to, reason }: ItemChange,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('job_item')
    .set({
      state: to,
      reason,
      made_id: null,
      time_started: null,
      time_finished: to === 'waiting' ? null : now.toISOString(),
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

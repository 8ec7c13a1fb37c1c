/**
 * Advances the items of a job, or of a run of a schedule. The changes of an operation and the state
 * of its item commit in one transaction, so each item is done exactly once, even if the process is
 * killed.
 */
import { deletionWaitsFor, JOB_RUNNING_MAX } from '@steading/api/rules'
import { type Entry, writeEntries } from '../../../kernel/audit/entry.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db, Tx } from '../../../kernel/db/database.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { loadMandate, type Mandate } from '../../identity/access-tokens/mandate.ts'
import { changeItems, type ItemChange } from './items.ts'
import { type Observation, observe } from './observe.ts'
import type { ItemValues, Outcome } from './take-step.ts'
import type { JobItemRow } from './wire.ts'

/** Most items in one transaction, and the milliseconds after which it begins no further items. */
const BATCH = 64
const BATCH_MS = 30

/** Writes new values of items; items with the same values are written together. */
async function writeItems(
  tx: Tx,
  jobId: string,
  outcomes: readonly [position: number, values: ItemValues][],
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

/**
 * Observes the running items of a job, and writes which of them have ended.
 * @param jobId the job, or the run of a schedule
 */
export async function endItems(tx: Tx, jobId: string, now: Date): Promise<Observation> {
  const observation = await observe(tx, jobId, now)
  const outcomes = observation.ended.map(({ position, reason }): [number, ItemValues] => [
    position,
    reason === null ? { state: 'succeeded' } : { state: 'failed', reason },
  ])
  await writeItems(tx, jobId, outcomes, now)
  return observation
}

const inState = (db: Db, jobId: string, state: 'waiting' | 'running') =>
  db
    .selectFrom('job_item')
    .where('job_id', '=', jobId)
    .where('state', '=', state)
    .orderBy('position')

/** Whether some items of a job, or of a run of a schedule, have not ended. */
export async function hasOpen(db: Db, jobId: string): Promise<boolean> {
  for (const state of ['waiting', 'running'] as const) {
    if (await inState(db, jobId, state).select('position').limit(1).executeTakeFirst()) return true
  }
  return false
}

/**
 * Whether an item belongs to the same transaction as the one before it: the snapshots of all disks
 * of an instance are requested at one moment.
 */
const isWith = (before: JobItemRow | undefined, { step, thing_inside }: JobItemRow): boolean =>
  step === 'snapshot' && thing_inside !== '' && before?.thing_inside === thing_inside

/** The items that may begin now: those of the first unfinished stage. */
async function nextItems(tx: Tx, jobId: string): Promise<JobItemRow[]> {
  const running = await countRows(inState(tx, jobId, 'running').clearOrderBy())
  const space = Math.min(BATCH, JOB_RUNNING_MAX - running)
  if (space <= 0) return []
  // A further item shows whether the last items belong to the same transaction.
  const waiting = await inState(tx, jobId, 'waiting')
    .selectAll()
    .limit(space + 1)
    .execute()
  if (waiting.length === 0) return []
  const first = await inState(tx, jobId, 'running').select('stage').limit(1).executeTakeFirst()
  const stage = Math.min(waiting[0]!.stage, first?.stage ?? Infinity)
  let end = Math.min(waiting.length, space)
  while (end > 0 && end < waiting.length && isWith(waiting[end - 1], waiting[end]!)) end--
  return waiting.slice(0, end).filter((item) => item.stage === stage)
}

/**
 * The reason why an item is skipped: the item it needs has not succeeded. That item is in an
 * earlier stage, so it has ended.
 */
async function skipReason(
  tx: Tx,
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

interface Beginning {
  /** Outcome of waiting items whose user or token no longer exists. */
  abandon: Omit<ItemChange, 'from'>
  /** Takes the step of one item as that user, see `takeStep`. */
  take: (actor: Actor, item: JobItemRow) => Promise<Outcome>
}

/**
 * Begins a batch of waiting items.
 * @param job the job, or the run of a schedule
 * @returns whether there were any that may begin
 */
export async function beginItems(
  tx: Tx,
  job: Mandate & { id: string },
  now: Date,
  { abandon, take }: Beginning,
): Promise<boolean> {
  const items = await nextItems(tx, job.id)
  if (items.length === 0) return false
  const actor = await loadMandate(tx, job, now)
  if (!actor) {
    await changeItems(tx, job.id, { from: ['waiting'], ...abandon }, now)
    return true
  }
  const began = performance.now()
  const outcomes: [number, ItemValues][] = []
  const entries: Entry[] = []
  let before: JobItemRow | undefined
  for (const item of items) {
    if (before && performance.now() - began > BATCH_MS && !isWith(before, item)) break
    before = item
    const reason = await skipReason(tx, item)
    const { values, entry }: Outcome = reason
      ? { values: { state: 'failed', reason } }
      : await take(actor, item)
    outcomes.push([item.position, values])
    if (entry) entries.push(entry)
  }
  await writeItems(tx, job.id, outcomes, now)
  await writeEntries(tx, entries)
  return true
}

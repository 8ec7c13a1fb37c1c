import {
  JOB_ITEM_TIMEOUT_MS,
  type JobLongStep,
  jobMessages,
  jobStepEnds,
  type JobResourceKind,
} from '@steading/api/rules'
import { anyTable } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { sql } from 'kysely'
import { storedKind } from '../../../kernel/kinds.ts'

/** A running item that has ended: successfully, or with the reason of its failure. */
export interface Ended {
  position: number
  reason: string | null
}

/** The present state of the running items. */
export interface Observation {
  ended: Ended[]
  /** When the latest running item began; undefined if none is running. */
  newest: string | undefined
}

const underway = (db: Db, jobId: string) =>
  db
    .selectFrom('job_item as item')
    .where('item.job_id', '=', jobId)
    .where('item.state', '=', 'running')

/** Steps that bring a resource into a state, with the table and column of the state. */
const watched = {
  start: { table: 'instance', state: 'run_state', by: 'thing_id' },
  stop: { table: 'instance', state: 'run_state', by: 'thing_id' },
  reboot: { table: 'instance', state: 'run_state', by: 'thing_id' },
  snapshot: { table: 'snapshot', state: 'state', by: 'made_id' },
  finalize: { table: 'disk', state: 'state', by: 'thing_id' },
} as const satisfies Record<JobLongStep, unknown>

async function reached(db: Db, jobId: string, step: JobLongStep): Promise<Ended[]> {
  const { table, state, by } = watched[step]
  const { underway: onTheWay, desired } = jobStepEnds[step]
  const rows = await underway(db, jobId)
    .innerJoin(anyTable(table).as('thing'), 'thing.id', `item.${by}`)
    .select(['item.position', sql.ref<string>(`thing.${state}`).as('state')])
    .where('item.step', '=', step)
    .where(`thing.${state}`, 'not in', onTheWay)
    .execute()
  return rows.map(({ position, state: is }) => ({
    position,
    reason: (desired as readonly string[]).includes(is)
      ? null
      : jobMessages.endedElsewhere(table, is, desired[0]!),
  }))
}

async function released(db: Db, jobId: string, kind: JobResourceKind): Promise<Ended[]> {
  return (
    underway(db, jobId)
      .leftJoin(anyTable(storedKind(kind).table).as('thing'), 'thing.id', 'item.thing_id')
      .select(['item.position', (eb) => eb.lit(null).as('reason')])
      .where('item.step', '=', 'delete')
      .where('item.thing_kind', '=', kind)
      // The reconciler has finished its work on the deleted resource.
      .where('thing.reconcile_at', 'is', null)
      .where('thing.lease_until', 'is', null)
      .execute()
  )
}

const isLong = (step: string): step is JobLongStep => step in jobStepEnds

/** Whether a step has succeeded as soon as it is accepted. */
export const endsAtOnce = (step: string, kind: JobResourceKind): boolean =>
  !isLong(step) && !(step === 'delete' && storedKind(kind).deletion?.hasBytes)

/**
 * Observes the resources of all running items.
 * @param jobId the job, or the run of a schedule
 */
export async function observe(db: Db, jobId: string, now: Date): Promise<Observation> {
  const groups = await underway(db, jobId)
    .select(['step', 'thing_kind', (eb) => eb.fn.max('time_started').as('newest')])
    .groupBy(['step', 'thing_kind'])
    .execute()
  const ended: Ended[] = []
  for (const { step, thing_kind } of groups) {
    ended.push(
      ...(isLong(step) ? await reached(db, jobId, step) : await released(db, jobId, thing_kind)),
    )
  }
  const newest = groups
    .map((group) => group.newest!)
    .toSorted()
    .at(-1)
  const tooOld = new Date(now.getTime() - JOB_ITEM_TIMEOUT_MS).toISOString()
  const late = await underway(db, jobId)
    .select(['item.position', (eb) => eb.val(jobMessages.tooLate).as('reason')])
    .where('item.time_started', '<', tooOld)
    .execute()
  const known = new Set(ended.map(({ position }) => position))
  return { ended: [...ended, ...late.filter(({ position }) => !known.has(position))], newest }
}

/**
 * Steps that do not end. A step keeps its lease while it runs, so nothing else would tell that it waits
 * for something that never comes. It is only reported: ending it, or running it a second time, could
 * do a change of the engine twice.
 */
import type { Db } from '../db/database.ts'
import { leaseIsOver } from '../db/leases.ts'
import { rowsOf } from './claims.ts'
import { createTask, type Task } from '../task.ts'
import type { RunningStep, Steps } from './steps.ts'
import type { ReconciledTable, ReconcilerParts } from './types.ts'

/** Looks for such steps per time limit. */
const LOOKS = 20

const record = (db: Db, { claim, since }: RunningStep, server: string) => {
  const values = { fence: claim.fence, server, time_began: since.toISOString() }
  return db
    .insertInto('endless_step')
    .values({ kind: claim.table, id: claim.id, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'id'])
        .doUpdateSet(values)
        // A step that has lost its claim leaves the record of the newer one.
        .where('endless_step.fence', '<=', claim.fence),
    )
    .execute()
}

/** Reports steps that have run for longer than the limit, and forgets those that have ended. */
export function createStuckSteps(
  steps: Pick<Steps, 'running'>,
  {
    database: { db, dialect },
    settings,
    clock,
  }: Pick<ReconcilerParts, 'database' | 'settings' | 'clock'>,
): Task {
  const { stepLimitMs, serverName, log } = settings
  /** The steps that were reported. */
  const reported = new WeakSet<RunningStep>()

  /** A step ends with its claim, and a step of a server that died with its lease. */
  const forgetEnded = async (): Promise<void> => {
    for (const { kind, id, fence } of await db.selectFrom('endless_step').selectAll().execute()) {
      const running = await db
        .selectFrom(rowsOf(kind as ReconciledTable))
        .select('id')
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('lease_until', 'is not', null)
        .where((eb) => eb.not(leaseIsOver(dialect, 'lease_until')))
        .executeTakeFirst()
      if (running) continue
      await db
        .deleteFrom('endless_step')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('fence', '=', fence)
        .execute()
    }
  }

  const look = async (): Promise<void> => {
    for (const step of steps.running()) {
      if (reported.has(step) || performance.now() - step.began < stepLimitMs) continue
      await record(db, step, serverName)
      reported.add(step)
      const { table, id } = step.claim
      log(`a step of ${table} ${id} has been running since ${step.since.toISOString()}`)
    }
    await forgetEnded()
  }
  const every = stepLimitMs / LOOKS
  return createTask({ clock, log }, { name: 'looking for stuck steps', every }, look)
}

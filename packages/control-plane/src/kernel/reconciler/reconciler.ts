/**
 * Brings the engines to the state that the rows ask for. Level-triggered: a step reads a row,
 * observes the engines, makes one change, and writes the outcome. A step may be killed at any
 * instant and may run twice, so it keeps no state in memory alone.
 *
 * The alarm of a row (`reconcile_at`) and its lease (`lease_until`) are separate. Claiming a row
 * clears its alarm and leases it to the step. A notice that arrives during the step sets the alarm
 * again, and the end of the step does not clear it. A lease that runs out makes the row due. Each
 * claim raises the `fence` of the row, so that a step that has lost its lease writes nothing.
 */
import { createClaims, rowsOf } from './claims.ts'
import { createDueRows } from './due-rows.ts'
import { createStuckSteps } from './stuck-steps.ts'
import { createReconcilerLoop } from './reconciler-loop.ts'
import { createTask } from '../task.ts'
import { createSteps } from './steps.ts'
import type { ReconciledTable, Reconciler, ReconcilerParts, ReconcilerLoop } from './types.ts'

export { STEP_FAILING } from './claims.ts'
export type {
  Outcome,
  ReconciledTable,
  Reconciler,
  Reconciliation,
  ReconcilerLoop,
  StartOptions,
  Step,
} from './types.ts'

/** Milliseconds between two comparisons of all rows with the engines. */
const RESYNC_MS = 60_000
/** Milliseconds between two looks at the clock. */
const CLOCK_LOOK_MS = 5_000
/** A clock that falls behind by more than this was set back. Milliseconds. */
const CLOCK_SLACK_MS = 1_000
/** Poll interval while waiting for a step of another server, in milliseconds. */
const SETTLE_POLL_MS = 15

/** @param loops they run side by side */
export function createReconciler(parts: ReconcilerParts, loops: ReconcilerLoop[]): Reconciler {
  const { database, settings, clock } = parts
  const { db, shared } = database
  const kinds = loops.flatMap((loop) => loop.of)
  const tables = kinds.map(({ table }) => table)
  const steps = createSteps(
    new Map(kinds.map((kind) => [kind.table, kind])),
    createClaims(parts),
    parts,
    note,
  )
  const dueRows = createDueRows(parts)
  const running = loops.map((loop) => createReconcilerLoop(loop, dueRows, steps, parts))
  const loopOf = new Map(running.flatMap((loop) => loop.tables.map((table) => [table, loop])))
  let stopped = true

  function note(table: ReconciledTable, at: number): void {
    // An engine that lacks a part has no loop for its rows.
    loopOf.get(table)?.wake(table, at)
  }
  const wake = (table?: ReconciledTable) => {
    for (const one of table ? [table] : tables) note(one, -Infinity)
  }

  /**
   * Makes all rows with an alarm due, because the alarms were set by a clock that showed another
   * time.
   */
  const alarmAll = async () => {
    for (const table of tables) {
      await db
        .updateTable(rowsOf(table))
        .set({ reconcile_at: clock().toISOString() })
        .where('reconcile_at', 'is not', null)
        .execute()
    }
  }

  /** The difference between the clock and the monotonic clock; falls when the clock is set back. */
  const ahead = () => clock().getTime() - performance.now()
  let lastAhead = ahead()
  const watchClock = async () => {
    const before = lastAhead
    lastAhead = ahead()
    if (lastAhead > before - CLOCK_SLACK_MS) return
    await alarmAll()
    wake()
  }

  const resync = async () => {
    const failures: unknown[] = []
    for (const kind of kinds) {
      if (stopped) break
      try {
        await kind.resync?.()
      } catch (error) {
        // An engine that does not answer holds up no other one.
        failures.push(error)
      }
    }
    wake()
    if (failures.length > 1) throw new AggregateError(failures)
    if (failures.length === 1) throw failures[0]
  }
  const timing = { clock, log: settings.log }
  const tasks = [
    createTask(timing, { name: 'resyncing all rows', every: RESYNC_MS, first: 0 }, resync),
    createTask(timing, { name: 'watching the clock', every: CLOCK_LOOK_MS }, watchClock),
    createStuckSteps(steps, parts),
  ]

  /** Ends all leases: no other server uses this database, so a dead process left them. */
  const endLeases = async () => {
    for (const table of tables) {
      await db
        .updateTable(rowsOf(table))
        .set({ lease_until: null, reconcile_at: clock().toISOString() })
        .where('lease_until', 'is not', null)
        .execute()
    }
  }

  const isLeased = async (table: ReconciledTable, id: string): Promise<boolean> => {
    const row = await db
      .selectFrom(rowsOf(table))
      .select('lease_until')
      .where('id', '=', id)
      .executeTakeFirst()
    return row !== undefined && row.lease_until !== null
  }

  return {
    tables,
    tasks,
    wake,
    longestSteps() {
      const now = performance.now()
      const longest = new Map<ReconciledTable, number>()
      for (const { claim, began } of steps.running()) {
        longest.set(claim.table, Math.max(now - began, longest.get(claim.table) ?? 0))
      }
      return longest
    },
    async start({ keepsAlarms } = {}) {
      stopped = false
      if (!shared) await endLeases()
      if (!keepsAlarms) await alarmAll()
      for (const task of tasks) await task.start()
      for (const loop of running) loop.start()
    },
    async stop() {
      stopped = true
      await Promise.all([...tasks, ...running].map((work) => work.stop()))
      await steps.ended()
    },
    async settle(table, id, limitMs = settings.settleMs) {
      if (stopped) return
      const ends = performance.now() + limitMs
      const settled = async () => {
        if ((await steps.reconcile(table, id)) || !shared) return
        // Another server may have claimed the row first.
        while (!stopped && performance.now() < ends && (await isLeased(table, id))) {
          await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS))
        }
      }
      let limit: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => (limit = setTimeout(resolve, limitMs)))
      await Promise.race([settled(), late])
      clearTimeout(limit)
    },
  }
}

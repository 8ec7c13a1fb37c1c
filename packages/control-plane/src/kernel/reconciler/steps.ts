/** The steps of claimed rows. Each row has at most one at a time in this process. */
import type { Db } from '../db/database.ts'
import { StaleFence } from '../db/fences.ts'
import type { StepOutcome } from '../instrumentation.ts'
import type { Claim, Claims } from './claims.ts'
import type { Outcome, Reconciliation, ReconciledTable, ReconcilerParts, Step } from './types.ts'

/** The lease has run out, and another step has claimed the row. */
class LostClaim extends Error {}

/** A step that this process is taking. */
export interface RunningStep {
  claim: Claim
  /** Its begin by a monotonic clock, and by the clock of the host. */
  began: number
  since: Date
}

export interface Steps {
  /** The steps that run now. */
  running: () => Iterable<RunningStep>
  /** Claims a row and takes its next step. @returns whether the row was due */
  reconcile: (table: ReconciledTable, id: string) => Promise<boolean>
  /** Resolves when all steps running now have ended. */
  ended: () => Promise<unknown>
}

/**
 * @param due called with the time from which a row of a table may be due; milliseconds by the
 *   clock
 */
export function createSteps(
  kinds: ReadonlyMap<ReconciledTable, Reconciliation>,
  claims: Claims,
  { database: { db }, settings, clock, feed, measures }: ReconcilerParts,
  due: (table: ReconciledTable, at: number) => void,
): Steps {
  /** Row → its running step. */
  const busy = new Map<string, Promise<unknown>>()
  const running = new Set<RunningStep>()

  /** @returns whether the row was due, and so claimed */
  const one = async (table: ReconciledTable, id: string): Promise<boolean> => {
    const now = clock()
    const row = await claims.claim(table, id, now)
    if (!row) return false
    const claimed: Claim = { table, id, fence: row.fence, failures: row.step_failures }
    const letGo = claims.keep(claimed)
    const began = performance.now()
    const itself: RunningStep = { claim: claimed, began, since: now }
    running.add(itself)
    let outcome: StepOutcome = 'done'
    /** The alarm of the row after its claim has ended; undefined until then. */
    let alarm: string | null | undefined
    const endOrThrow = async (on: Db, at: Date | null, outcome?: Outcome<'instance'>) => {
      const written = outcome && (await claims.end(on, claimed, at, outcome))
      const ended = written ?? (await claims.end(on, claimed, at))
      if (!ended) throw new LostClaim(`lost ${table} ${id}`)
      alarm = ended.reconcile_at
      return written
    }
    const others = new Set<ReconciledTable>()
    const wakeOther = (other: ReconciledTable) => void others.add(other)
    const { fence } = row
    const step: Step = { now, fence, first, wake: wakeOther, end: endOrThrow as Step['end'] }
    try {
      await kinds.get(table)!.reconcile(step, row)
      if (alarm === undefined) alarm = (await claims.end(db, claimed, null))?.reconcile_at
    } catch (error) {
      outcome = error instanceof LostClaim || error instanceof StaleFence ? 'lost' : 'failed'
      if (outcome === 'lost') return true
      settings.log(`reconciling ${table} ${id} failed; trying again`, error)
      // This also covers an end that was rolled back and so left the row leased.
      alarm = (await claims.endFailed(claimed, now, error))?.reconcile_at
    } finally {
      letGo()
      running.delete(itself)
      measures.stepped(table, outcome, (performance.now() - began) / 1000)
    }
    if (alarm) due(table, Date.parse(alarm))
    for (const other of others) due(other, -Infinity)
    feed.notify()
    return true
  }

  const reconcile = async (table: ReconciledTable, id: string): Promise<boolean> => {
    const key = `${table} ${id}`
    while (busy.has(key)) await busy.get(key)
    const work = one(table, id).finally(() => busy.delete(key))
    busy.set(key, work)
    return work
  }
  async function first(table: ReconciledTable, id: string): Promise<void> {
    await reconcile(table, id)
  }

  return { reconcile, running: () => running, ended: () => Promise.allSettled(busy.values()) }
}

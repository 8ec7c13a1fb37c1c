/** One loop of the reconciler: reads the due rows of its kinds, and takes their steps. */
import { createBackoff } from '../backoff.ts'
import { afterAbout } from '../beat.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import type { DueRows } from './due-rows.ts'
import type { Steps } from './steps.ts'
import type { ReconciledTable, ReconcilerParts, ReconcilerLoop } from './types.ts'

/** Milliseconds before a failed pass is tried again: at first, and at most. */
const PASS_RETRY_MS = 250
/** Milliseconds between two looks at all tables when no other server can make a row due. */
const LOOK_MS = 5_000
/** The same otherwise, so that rows of servers that died are found. */
const SHARED_LOOK_MS = 1_000
/**
 * Milliseconds after which a pass continues with other rows, although some of its steps still run:
 * a step that waits for an outside answer delays no other row.
 */
const PATIENCE_MS = 1_000
/** Milliseconds of work before the process yields to other work. */
const TURN_MS = 10

/**
 * Waits for some work, but at most a number of milliseconds.
 * @returns whether all of it ended
 * @throws the first failure, if all of it ended
 */
async function settledWithin(ms: number, work: readonly Promise<void>[]): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  const outcomes = await Promise.race([Promise.allSettled(work), late])
  clearTimeout(timer)
  if (!outcomes) return false
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return true
}

/** The loop over the due rows of some kinds. It runs from `start` to `stop`. */
export function createReconcilerLoop(
  { of, concurrency }: ReconcilerLoop,
  rows: DueRows,
  steps: Pick<Steps, 'reconcile'>,
  {
    database: { shared },
    settings,
    clock,
    measures,
  }: Pick<ReconcilerParts, 'database' | 'settings' | 'clock' | 'measures'>,
) {
  const tables = of.map(({ table }) => table)
  /** Table → when one of its rows may be due, in milliseconds by the clock. */
  const alarms = new Map<ReconciledTable, number>()
  const remember = (table: ReconciledTable, at: number) =>
    alarms.set(table, Math.min(at, alarms.get(table) ?? Infinity))
  const rememberAll = () => {
    for (const table of tables) remember(table, -Infinity)
  }
  let stopped = true
  let running: Promise<void> | undefined
  /** Workers of earlier passes that are still running. */
  const slow = new Set<Promise<unknown>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let endLooking = (): void => {}
  const backoff = createBackoff(PASS_RETRY_MS, LOOK_MS)
  let backingOff = false

  /** Milliseconds until a row may be due. */
  const rest = () =>
    Math.min(...tables.map((table) => alarms.get(table) ?? Infinity)) - clock().getTime()

  /** Lets a worker finish its steps while the loop goes on. */
  const detach = (worker: Promise<void>) => {
    const finished = worker
      .catch((error) => {
        settings.log('reconciler pass failed', error)
        rememberAll()
      })
      .finally(() => slow.delete(finished))
    slow.add(finished)
  }

  /** Reconciles due rows until there are none. */
  const pass = async (): Promise<void> => {
    while (!stopped && rest() <= 0) {
      while (slow.size >= concurrency) await Promise.race(slow)
      measures.passed()
      const now = clock()
      const queue: (readonly [ReconciledTable, string])[] = []
      for (const table of tables) {
        if ((alarms.get(table) ?? Infinity) > now.getTime()) continue
        // Alarms recorded during the query are newer than its answer.
        alarms.delete(table)
        const { ids, next } = await rows.find(table, now)
        remember(table, next)
        for (const id of ids) queue.push([table, id])
      }
      let turn = performance.now()
      const worker = async (): Promise<void> => {
        for (let item = queue.shift(); item && !stopped; item = queue.shift()) {
          await steps.reconcile(item[0], item[1]).catch((error) => {
            // The database fails, so the other rows would fail too.
            queue.length = 0
            throw error
          })
          if (performance.now() - turn < TURN_MS) continue
          await yieldToEventLoop()
          turn = performance.now()
        }
      }
      const free = Math.min(concurrency - slow.size, queue.length)
      const workers = Array.from({ length: free }, worker)
      if (!(await settledWithin(PATIENCE_MS, workers))) for (const one of workers) detach(one)
    }
  }

  const go = () => {
    if (stopped || backingOff || running) return
    clearTimeout(timer)
    running = pass()
      .then(() => backoff.succeeded())
      .catch((error) => {
        settings.log('reconciler pass failed', error)
        // New work also waits, because it would fail in the same way.
        backingOff = true
        // The rows that were due are still due.
        rememberAll()
        return backoff.failed()
      })
      .then((wait) => {
        running = undefined
        if (stopped) return
        const again = () => {
          backingOff = false
          go()
        }
        const ms = wait ?? Math.max(0, rest())
        // The next look at all tables comes before a later alarm.
        if (ms <= 2 * LOOK_MS) timer = setTimeout(again, ms)
      })
  }
  /** Looks at all tables, whatever their alarms, again and again. */
  const lookAtAll = () => {
    endLooking = afterAbout(shared ? SHARED_LOOK_MS : LOOK_MS, lookAtAll)
    rememberAll()
    go()
  }
  /** Records when a row of a table is due; milliseconds by the clock. */
  const wake = (table: ReconciledTable, at: number) => {
    const before = rest()
    remember(table, at)
    if (rest() <= 0 || rest() < before) go()
  }

  const start = () => {
    stopped = false
    lookAtAll()
  }

  /** Takes no more rows, and waits for the running steps. */
  const stop = async () => {
    stopped = true
    endLooking()
    clearTimeout(timer)
    await running
    await Promise.all(slow)
  }
  return { tables, wake, start, stop }
}

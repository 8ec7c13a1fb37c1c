/**
 * Brings the engines to the state that the rows ask for. Level-triggered: a step reads a row,
 * observes the engines, makes one change, and writes the outcome. A step may be killed at any
 * instant and may run twice, so it keeps no state only in memory.
 *
 * The alarm of a row (`reconcile_at`) and its lease (`lease_until`) are two things. Claiming a row
 * clears its alarm and leases it to the step. A notice that arrives during the step sets the alarm
 * again, and the end of the step does not clear it. A lease that runs out makes the row due. Each
 * claim raises the `fence` of the row, so that a step that has lost its lease writes nothing.
 */
import { type Selectable, sql, type Updateable } from 'kysely'
import { createBackoff } from './backoff.ts'
import { breathe } from './breathe.ts'
import type { Db, OpenDatabase } from './db/database.ts'
import { databaseTime, LEASE_MS, leaseIsOver, RENEW_MS } from './db/leases.ts'
import type { Database, Reconciled } from './db/schema.ts'
import { unsynced } from './db/unsynced.ts'
import type { EventFeed } from './events/feed.ts'
import type { Measures, StepOutcome } from './measures.ts'
import type { Settings } from './settings.ts'

/** Tables whose rows the reconciler handles: those with the columns of `Reconciled`. */
export type ReconciledTable = {
  [T in keyof Database]: Database[T] extends Reconciled ? T : never
}[keyof Database]

/** New values of a claimed row, which are written only if some of its columns are unchanged. */
export interface Outcome<T extends ReconciledTable> {
  values: Updateable<Database[T]>
  /** Columns with the values that they must still have. */
  unchanged: Partial<Selectable<Database[T]>>
}

/** The claim of one row, for as long as its step takes. */
export interface Step<T extends ReconciledTable = ReconciledTable> {
  now: Date
  /** Reconciles something this row depends on first. */
  first: (table: ReconciledTable, id: string) => Promise<void>
  /** Tells the reconciler, once this step is over, that a row of another table may be due. */
  wake: (table: ReconciledTable) => void
  /**
   * Ends the claim, in the transaction that writes the outcome. An earlier alarm stays.
   * @param at when the row is due again; null waits for a notice
   * @param outcome new values of the row, written in the same statement
   * @returns the row with the new values, or undefined if they were not written
   * @throws LostClaim if another step has claimed the row meanwhile
   */
  end(db: Db, at: Date | null): Promise<void>
  end(db: Db, at: Date | null, outcome: Outcome<T>): Promise<Selectable<Database[T]> | undefined>
}

/** The lease has run out, and another step has claimed the row. */
class LostClaim extends Error {}

/** How one kind of thing is reconciled. */
export interface Reconciliation<T extends ReconciledTable = ReconciledTable> {
  table: T
  /** Takes the next step of a claimed row. A step that does not end its claim waits for a notice. */
  reconcile(step: Step<T>, row: Selectable<Database[T]>): Promise<void>
  /**
   * Compares all rows with the engines, and sets the alarm of rows that differ, so that a lost
   * notice only causes a delay. Runs at the start and periodically.
   */
  survey?(): Promise<void>
}

/** Kinds that one loop handles in this order: a kind that others depend on comes first. */
export interface Round {
  of: Reconciliation[]
  /** Number of rows that are reconciled at the same time. */
  concurrency: number
}

export interface Reconciler {
  /** The tables of all kinds that it handles. */
  tables: readonly ReconciledTable[]
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Tells the reconciler that a row may be due: one of a table, or without one of any. */
  wake: (table?: ReconciledTable) => void
  /**
   * Reconciles one row now, and waits until no step has claimed it, here or at another server.
   * @param limitMs the longest wait; by default as long as a create may wait
   */
  settle: (table: ReconciledTable, id: string, limitMs?: number) => Promise<void>
}

export interface ReconcilerParts {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  feed: EventFeed
  measures: Measures
}

/** A row that a step has claimed. */
interface Claim {
  table: ReconciledTable
  id: string
  fence: number
  /** Number of its last steps that have failed. */
  failures: number
}

/** The columns that count the failed steps of a row, after one that has succeeded. */
const succeeded = { step_failures: 0, step_failure: null, time_step_failed: null }

/** Milliseconds before a row that failed is tried again: at first, and at most. */
const RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
/**
 * SQL of rows whose steps fail again and again: an issue for operators. The words are those of the
 * condition of their indexes.
 */
export const STEP_FAILING = 'step_failures >= 10'
/** Longest error that is stored with a row, in characters. */
const MAX_FAILURE = 500
/** Milliseconds before a pass that failed as a whole is tried again: at first, and at most. */
const PASS_RETRY_MS = 250
/** Longest sleep when no other server can make a row due. */
const MAX_SLEEP_MS = 5_000
/** Longest sleep otherwise, so that rows of servers that died are found. */
const MAX_SHARED_SLEEP_MS = 1_000
/** Milliseconds between two looks for rows whose step was cut off. */
const ABANDONED_LOOK_MS = 500
const SURVEY_MS = 60_000
/** How often to poll for the end of a step of another server, in milliseconds. */
const SETTLE_POLL_MS = 15
const BATCH = 100
/**
 * Milliseconds after which a pass goes on with other rows, although some of its steps still run: one
 * that waits for an answer from elsewhere delays no other row.
 */
const PATIENCE_MS = 1_000
/** Milliseconds of work after which other work of the process gets a turn. */
const TURN_MS = 10
/** If the clock has fallen behind by more than this, it was set back. Milliseconds. */
const CLOCK_SLACK_MS = 1_000

/**
 * Waits for some work, but not longer than a number of milliseconds.
 * @returns whether all of it has ended; throws the first failure then
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

export function createReconciler(
  { database, settings, clock, feed, measures }: ReconcilerParts,
  rounds: Round[],
): Reconciler {
  const { db, dialect, shared } = database
  const kinds = rounds.flatMap((round) => round.of)
  const byTable = new Map(kinds.map((kind) => [kind.table, kind]))
  let stopped = true
  /** The step that runs for a row, so that each row has one at a time in this process. */
  const busy = new Map<string, Promise<unknown>>()

  /** All these tables have the columns of `Reconciled`; one of them stands for all in the types. */
  const rowsOf = (table: ReconciledTable) => table as 'instance'

  const claim = (table: ReconciledTable, id: string, now: Date) =>
    db
      .updateTable(rowsOf(table))
      .set({
        reconcile_at: null,
        lease_until: databaseTime(dialect, LEASE_MS),
        fence: sql`fence + 1`,
      })
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb('reconcile_at', '<=', now.toISOString()).and('lease_until', 'is', null),
          eb.and([eb('lease_until', 'is not', null), leaseIsOver(dialect, 'lease_until')]),
        ]),
      )
      .returningAll()
      .modifyEnd(unsynced)
      .executeTakeFirst()

  /** Renews the lease of a row until its step is over. @returns what ends that */
  const keep = ({ table, id, fence }: Claim) => {
    const timer = setInterval(() => {
      db.updateTable(rowsOf(table))
        .set({ lease_until: databaseTime(dialect, LEASE_MS) })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('lease_until', 'is not', null)
        .modifyEnd(unsynced)
        .execute()
        .catch((error) => settings.log(`renewing the lease of ${table} ${id} failed`, error))
    }, RENEW_MS)
    return () => clearInterval(timer)
  }

  /** Ends a claim. @returns the row, or undefined if its claim was lost or a column has changed */
  const end = (
    on: Db,
    { table, id, fence, failures }: Claim,
    at: Date | null,
    outcome?: Outcome<'instance'>,
    failed?: Updateable<Reconciled>,
  ) => {
    const counted = failed ?? (failures > 0 ? succeeded : {})
    const alarm = at?.toISOString() ?? null
    let update = on
      .updateTable(rowsOf(table))
      .set({
        ...outcome?.values,
        ...counted,
        lease_until: null,
        ...(alarm && {
          reconcile_at: sql<string>`case when reconcile_at < ${alarm} then reconcile_at else ${alarm} end`,
        }),
      })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('lease_until', 'is not', null)
    for (const [column, value] of Object.entries(outcome?.unchanged ?? {})) {
      update = update.where(column as 'id', '=', value as string)
    }
    return outcome
      ? update.returningAll().executeTakeFirst()
      : (update.returning('reconcile_at').modifyEnd(unsynced).executeTakeFirst() as Promise<
          Selectable<Database['instance']> | undefined
        >)
  }

  /** Ends a claim whose step has failed; the row is tried again after a time that doubles. */
  const endFailed = (claimed: Claim, now: Date, error: unknown) => {
    const wait = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** claimed.failures)
    return end(db, claimed, new Date(clock().getTime() + wait), undefined, {
      step_failures: claimed.failures + 1,
      step_failure: (error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE),
      ...(claimed.failures === 0 && { time_step_failed: now.toISOString() }),
    })
  }

  /** @returns whether the row was due, and so claimed */
  const one = async (table: ReconciledTable, id: string): Promise<boolean> => {
    const now = clock()
    const row = await claim(table, id, now)
    if (!row) return false
    const claimed: Claim = { table, id, fence: row.fence, failures: row.step_failures }
    const letGo = keep(claimed)
    const began = performance.now()
    let outcome: StepOutcome = 'done'
    /** The alarm of the row after its claim has ended; undefined until then. */
    let alarm: string | null | undefined
    const endOrThrow = async (on: Db, at: Date | null, outcome?: Outcome<'instance'>) => {
      const written = outcome && (await end(on, claimed, at, outcome))
      const ended = written ?? (await end(on, claimed, at))
      if (!ended) throw new LostClaim(`lost ${table} ${id}`)
      alarm = ended.reconcile_at
      return written
    }
    const others = new Set<ReconciledTable>()
    const wakeOther = (other: ReconciledTable) => void others.add(other)
    const step: Step = { now, first, wake: wakeOther, end: endOrThrow as Step['end'] }
    try {
      await byTable.get(table)!.reconcile(step, row)
      if (alarm === undefined) alarm = (await end(db, claimed, null))?.reconcile_at
    } catch (error) {
      outcome = error instanceof LostClaim ? 'lost' : 'failed'
      if (outcome === 'lost') return true
      settings.log(`reconciling ${table} ${id} failed; trying again`, error)
      // This also covers an end that was rolled back and so left the row leased.
      alarm = (await endFailed(claimed, now, error))?.reconcile_at
    } finally {
      letGo()
      measures.stepped(table, outcome, (performance.now() - began) / 1000)
    }
    if (alarm) note(table, Date.parse(alarm))
    for (const other of others) note(other, -Infinity)
    feed.notify()
    return true
  }

  /** @returns whether the row was due */
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

  /** Table → when rows with leases that have run out were last looked for, by a monotonic clock. */
  const lookedForAbandoned = new Map<ReconciledTable, number>()
  /** Rows whose step was cut off. Leases run for seconds, so not every pass looks for them. */
  const abandoned = async (table: ReconciledTable): Promise<{ id: string }[]> => {
    const now = performance.now()
    if (now - (lookedForAbandoned.get(table) ?? -Infinity) < ABANDONED_LOOK_MS) return []
    lookedForAbandoned.set(table, now)
    return db
      .selectFrom(rowsOf(table))
      .select('id')
      .where('lease_until', 'is not', null)
      .where(leaseIsOver(dialect, 'lease_until'))
      .limit(BATCH)
      .execute()
  }

  /** The due rows of a table, and when the next row of it is due. */
  const due = async (table: ReconciledTable, now: Date) => {
    const alarms = db
      .selectFrom(rowsOf(table))
      .select(['id', 'reconcile_at as at'])
      .where('lease_until', 'is', null)
      .orderBy('reconcile_at')
    const time = now.toISOString()
    const found = await db
      .selectFrom(alarms.where('reconcile_at', '<=', time).limit(BATCH).as('due'))
      .selectAll()
      .unionAll(
        db.selectFrom(alarms.where('reconcile_at', '>', time).limit(1).as('later')).selectAll(),
      )
      .execute()
    const ids = (await abandoned(table)).map(({ id }) => id)
    let next = Infinity
    for (const { id, at } of found) {
      if (at! > time) {
        next = Date.parse(at!)
        continue
      }
      ids.push(id)
      measures.found(table, (now.getTime() - Date.parse(at!)) / 1000)
    }
    return { ids, next: ids.length < BATCH ? next : -Infinity }
  }

  /** The loop over the due rows of some kinds. */
  const createRound = ({ of, concurrency }: Round) => {
    const tables = of.map(({ table }) => table)
    /** Table → when one of its rows may be due, in milliseconds by the clock. */
    const alarms = new Map<ReconciledTable, number>()
    const remember = (table: ReconciledTable, at: number) =>
      alarms.set(table, Math.min(at, alarms.get(table) ?? Infinity))
    const rememberAll = () => {
      for (const table of tables) remember(table, -Infinity)
    }
    let running: Promise<void> | undefined
    /** Workers of earlier passes, which did not wait for them. */
    const slow = new Set<Promise<unknown>>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const backoff = createBackoff(PASS_RETRY_MS, MAX_SLEEP_MS)
    let backingOff = false
    /** When all tables are looked at again, whatever is known of them, by a monotonic clock. */
    let lookAtAll = -Infinity

    /** Milliseconds until a row may be due. */
    const rest = () =>
      Math.min(
        lookAtAll - performance.now(),
        Math.min(...tables.map((table) => alarms.get(table) ?? Infinity)) - clock().getTime(),
      )

    /** Lets a worker finish its steps while the round goes on. */
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
        if (lookAtAll <= performance.now()) {
          lookAtAll = performance.now() + (shared ? MAX_SHARED_SLEEP_MS : MAX_SLEEP_MS)
          rememberAll()
        }
        measures.passed()
        const now = clock()
        const queue: (readonly [ReconciledTable, string])[] = []
        for (const table of tables) {
          if ((alarms.get(table) ?? Infinity) > now.getTime()) continue
          // What is remembered during the query is newer than its answer.
          alarms.delete(table)
          const { ids, next } = await due(table, now)
          remember(table, next)
          for (const id of ids) queue.push([table, id])
        }
        let turn = performance.now()
        const worker = async (): Promise<void> => {
          for (let item = queue.shift(); item && !stopped; item = queue.shift()) {
            await reconcile(item[0], item[1]).catch((error) => {
              // The database fails, so the other rows would fail as well.
              queue.length = 0
              throw error
            })
            if (performance.now() - turn < TURN_MS) continue
            await breathe()
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
          // New work waits as well, because it would fail in the same way.
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
          timer = setTimeout(again, wait ?? Math.max(0, rest()))
        })
    }
    const wake = (table: ReconciledTable, at: number) => {
      const before = rest()
      remember(table, at)
      if (rest() <= 0 || rest() < before) go()
    }

    const stop = async () => {
      clearTimeout(timer)
      await running
      await Promise.all(slow)
    }
    return { tables, wake, stop }
  }
  const turning = rounds.map(createRound)
  const roundOf = new Map(turning.flatMap((round) => round.tables.map((table) => [table, round])))
  /** Notes when a row of a table is due. */
  function note(table: ReconciledTable, at: number): void {
    roundOf.get(table)!.wake(table, at)
  }
  const wake = (table?: ReconciledTable) => {
    for (const one of table ? [table] : roundOf.keys()) note(one, -Infinity)
  }

  /**
   * Makes all rows with an alarm due, because the alarms were set by a clock that showed another
   * time.
   */
  const alarmAll = async () => {
    for (const { table } of kinds) {
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

  const survey = async () => {
    for (const kind of kinds) {
      if (!stopped) await kind.survey?.()
    }
    wake()
  }
  /** Repeats work at an interval. */
  const repeat = (ms: number, what: string, work: () => Promise<void>) => {
    const run = () => work().catch((error) => settings.log(`${what} failed`, error))
    let running = Promise.resolve()
    const timer = setInterval(() => {
      running = running.then(run)
    }, ms)
    return {
      now: () => (running = running.then(run)),
      async stop() {
        clearInterval(timer)
        await running
      },
    }
  }
  let repeated: ReturnType<typeof repeat>[] = []

  return {
    async start() {
      stopped = false
      if (!shared) {
        // No other server uses this database, so all leases are from a process that died.
        for (const { table } of kinds) {
          await db
            .updateTable(rowsOf(table))
            .set({ lease_until: null, reconcile_at: clock().toISOString() })
            .where('lease_until', 'is not', null)
            .execute()
        }
      }
      await alarmAll()
      const surveys = repeat(SURVEY_MS, 'looking at everything', survey)
      repeated = [surveys, repeat(CLOCK_SLACK_MS, 'watching the clock', watchClock)]
      void surveys.now()
      wake()
    },
    async stop() {
      stopped = true
      await Promise.all(repeated.map((work) => work.stop()))
      await Promise.all(turning.map((round) => round.stop()))
      await Promise.allSettled(busy.values())
    },
    tables: kinds.map(({ table }) => table),
    wake,
    async settle(table, id, limitMs = settings.settleMs) {
      if (stopped) return
      const ends = performance.now() + limitMs
      let limit: ReturnType<typeof setTimeout> | undefined
      const leased = async () => {
        const row = await db
          .selectFrom(rowsOf(table))
          .select('lease_until')
          .where('id', '=', id)
          .executeTakeFirst()
        return row !== undefined && row.lease_until !== null
      }
      const settled = async () => {
        if ((await reconcile(table, id)) || !shared) return
        // Another server may have claimed the row first.
        while (!stopped && performance.now() < ends && (await leased())) {
          await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS))
        }
      }
      await Promise.race([
        settled(),
        new Promise<void>((resolve) => {
          limit = setTimeout(resolve, limitMs)
        }),
      ])
      clearTimeout(limit)
    },
  }
}

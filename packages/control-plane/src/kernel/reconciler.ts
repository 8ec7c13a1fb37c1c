/**
 * Brings the world to where the rows say it should be. Level-triggered: it looks at a row, asks the
 * engine what is, takes one step, and writes what came of it. It may be killed at any instant and
 * run twice; nothing it knows lives only in memory.
 *
 * `reconcile_at` is both the alarm and the lease of a row: claiming moves it ahead by the length of
 * a lease, so that another process leaves the row alone, and finds it again if this one dies.
 */
import { type Backoff, createBackoff } from './backoff.ts'
import { breathe } from './breathe.ts'
import type { ComputeEngine } from './ports/engine.ts'
import type { OpenDatabase } from './db/database.ts'
import type { ImportGate } from '../resources/disks/import-gate.ts'
import type { EventFeed } from './events/feed.ts'
import type { JobRow } from '../resources/jobs/view.ts'
import type { Settings } from './settings.ts'
import { reconcileDisk } from '../resources/disks/reconcile.ts'
import { reconcileInstance } from '../resources/instances/reconcile.ts'
import { removeOrphans } from '../resources/instances/orphans.ts'
import { reconcileSnapshot } from '../resources/snapshots/reconcile.ts'

/**
 * What is looked at in turn, in this order: what others need comes first. Jobs have turns of their
 * own, so that neither they nor what they set going wait for the other.
 */
const rounds = [
  { kinds: ['snapshot', 'disk', 'instance'], concurrency: 8 },
  { kinds: ['job'], concurrency: 2 },
] as const
export type Kind = (typeof rounds)[number]['kinds'][number]

export interface Reconciler {
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Something is due. */
  wake: () => void
  /**
   * Reconciles one thing now, and waits for it.
   * @param limitMs as long as a create may wait, unless told otherwise
   */
  settle: (kind: Kind, id: string, limitMs?: number) => Promise<void>
}

export interface ReconcilerParts {
  database: OpenDatabase
  engine: ComputeEngine
  settings: Settings
  clock: () => Date
  feed: EventFeed
  imports: ImportGate
  /** Takes a job a short while further. */
  runJob: (row: JobRow) => Promise<void>
}

/** What reconciling one row needs. */
export interface Step extends ReconcilerParts {
  now: Date
  /** Reconciles something this row depends on first. */
  first: (kind: Kind, id: string) => Promise<void>
}

/** Milliseconds a claimed row is left to its claimant. */
const LEASE_MS = 10_000
/** Milliseconds before a row that failed is tried again: at first, and at most. */
const RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
/** Rows whose failures are remembered. */
const MAX_RETRIES = 10_000
/** Milliseconds before a pass that failed as a whole is tried again: at first, and at most. */
const PASS_RETRY_MS = 250
/** Longest sleep; finds rows that other processes left behind. */
const MAX_SLEEP_MS = 5_000
const BATCH = 100
/** Milliseconds of work after which others get their turn. */
const TURN_MS = 10

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { database, engine, settings, clock, feed } = parts
  const { db } = database
  let stopped = true
  /** One at a time per row in this process. */
  const busy = new Map<string, Promise<void>>()
  /** Of rows that failed when they were last tried. */
  const retries = new Map<string, Backoff>()

  const claim = async (kind: Kind, id: string, now: Date) => {
    const lease = new Date(now.getTime() + LEASE_MS).toISOString()
    return db
      .updateTable(kind as 'instance')
      .set({ reconcile_at: lease })
      .where('id', '=', id)
      .where('reconcile_at', '<=', now.toISOString())
      .returningAll()
      .executeTakeFirst()
  }

  const retryLater = async (kind: Kind, id: string) => {
    const key = `${kind} ${id}`
    const backoff = retries.get(key) ?? createBackoff(RETRY_MS, MAX_RETRY_MS)
    // Rows that are gone leave theirs behind.
    if (retries.size >= MAX_RETRIES) retries.clear()
    retries.set(key, backoff)
    await db
      .updateTable(kind as 'instance')
      .set({ reconcile_at: new Date(clock().getTime() + backoff.failed()).toISOString() })
      .where('id', '=', id)
      .where('reconcile_at', 'is not', null)
      .execute()
  }

  const one = async (kind: Kind, id: string): Promise<void> => {
    const now = clock()
    const row = await claim(kind, id, now)
    if (!row) return
    const step: Step = { ...parts, now, first: reconcile }
    try {
      if (kind === 'instance') await reconcileInstance(step, row)
      else if (kind === 'disk') await reconcileDisk(step, row as never)
      else if (kind === 'job') await parts.runJob(row as never)
      else await reconcileSnapshot(step, row as never)
      retries.delete(`${kind} ${id}`)
    } catch (error) {
      settings.log(`reconciling ${kind} ${id} failed; trying again`, error)
      await retryLater(kind, id)
    }
    feed.notify()
  }

  async function reconcile(kind: Kind, id: string): Promise<void> {
    const key = `${kind} ${id}`
    while (busy.has(key)) await busy.get(key)
    const work = one(kind, id).finally(() => busy.delete(key))
    busy.set(key, work)
    return work
  }

  const due = async (kind: Kind, now: Date): Promise<string[]> => {
    const rows = await db
      .selectFrom(kind as 'instance')
      .select('id')
      .where('reconcile_at', '<=', now.toISOString())
      .orderBy('reconcile_at')
      .limit(BATCH)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Looks again and again at what is due of some kinds. */
  const createRound = (kinds: readonly Kind[], concurrency: number) => {
    let running: Promise<void> | undefined
    let again = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const backoff = createBackoff(PASS_RETRY_MS, MAX_SLEEP_MS)
    let backingOff = false

    const nextDue = async (): Promise<number> => {
      const times = await Promise.all(
        kinds.map((kind) =>
          db
            .selectFrom(kind as 'instance')
            .select((eb) => eb.fn.min('reconcile_at').as('at'))
            .where('reconcile_at', 'is not', null)
            .executeTakeFirst(),
        ),
      )
      const waits = times.flatMap((row) =>
        row?.at ? [Date.parse(row.at) - clock().getTime()] : [],
      )
      return Math.max(0, Math.min(MAX_SLEEP_MS, ...waits))
    }

    /** Everything that is due, until nothing is. */
    const pass = async (): Promise<void> => {
      do {
        again = false
        const now = clock()
        const queue: (readonly [Kind, string])[] = []
        for (const kind of kinds) {
          for (const id of await due(kind, now)) queue.push([kind, id])
        }
        if (queue.length > 0) again = true
        let turn = performance.now()
        const worker = async (): Promise<void> => {
          for (let item = queue.shift(); item && !stopped; item = queue.shift()) {
            await reconcile(item[0], item[1]).catch((error) => {
              // The database fails: for the others, too.
              queue.length = 0
              throw error
            })
            if (performance.now() - turn < TURN_MS) continue
            await breathe()
            turn = performance.now()
          }
        }
        const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, worker))
        const failed = outcomes.find((outcome) => outcome.status === 'rejected')
        if (failed) throw failed.reason
      } while (again && !stopped)
    }

    const wake = () => {
      if (stopped || backingOff) return
      if (running) {
        again = true
        return
      }
      clearTimeout(timer)
      running = pass()
        .then(nextDue)
        .then((wait) => {
          backoff.succeeded()
          return wait
        })
        .catch((error) => {
          settings.log('reconciler pass failed', error)
          // New work waits as well: it would fail in the same way.
          backingOff = true
          return backoff.failed()
        })
        .then((wait) => {
          running = undefined
          if (stopped) return
          if (again && !backingOff) return wake()
          timer = setTimeout(() => {
            backingOff = false
            wake()
          }, wait)
        })
    }

    const stop = async () => {
      clearTimeout(timer)
      await running
    }
    return { wake, stop }
  }
  const turning = rounds.map(({ kinds, concurrency }) => createRound(kinds, concurrency))
  const wake = () => {
    for (const round of turning) round.wake()
  }

  return {
    async start() {
      stopped = false
      engine.subscribe((vmId) => {
        void db
          .updateTable('instance')
          .set({ reconcile_at: clock().toISOString() })
          .where('vm_id', '=', vmId)
          .execute()
          .then(wake, (error) => settings.log('noting a change of a VM failed', error))
      })
      // VMs may have changed while nobody looked, and leases of a process that died are void.
      await db
        .updateTable('instance')
        .set({ reconcile_at: clock().toISOString() })
        .where((eb) => eb.or([eb('vm_id', 'is not', null), eb('reconcile_at', 'is not', null)]))
        .execute()
      for (const kind of ['disk', 'snapshot', 'job'] as const) {
        await db
          .updateTable(kind as 'disk')
          .set({ reconcile_at: clock().toISOString() })
          .where('reconcile_at', 'is not', null)
          .execute()
      }
      await removeOrphans(parts)
      wake()
    },
    async stop() {
      stopped = true
      await Promise.all(turning.map((round) => round.stop()))
      await Promise.allSettled(busy.values())
    },
    wake,
    async settle(kind, id, limitMs = settings.settleMs) {
      if (stopped) return
      let limit: ReturnType<typeof setTimeout> | undefined
      await Promise.race([
        reconcile(kind, id),
        new Promise<void>((resolve) => {
          limit = setTimeout(resolve, limitMs)
        }),
      ])
      clearTimeout(limit)
      wake()
    },
  }
}

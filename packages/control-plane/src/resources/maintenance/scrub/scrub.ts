/**
 * Reads everything that is stored on the disks of servers, slowly, and compares it with its
 * checksums, so that damage is found before the bytes are needed. One server at a time checks
 * volumes; the time series are checked by the server that holds them.
 */
import { SCRUB_BYTES_PER_SECOND, SCRUB_EVERY_MS } from '@steading/api/rules'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { type DamageTable, endDamage, noteDamage } from '../../../kernel/damage.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Throttle } from '../../../kernel/ports/block-store.ts'
import { type TimeSeriesStore, TimeSeriesUnavailable } from '../../../kernel/ports/time-series.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { createTaskLease } from '../../../kernel/task-lease.ts'
import './table.ts'

/** Interval for checking whether a check is due. Milliseconds. */
const LOOK_MS = 60_000
/** Ids per query. */
const PAGE = 100
/** Minimum number of bytes compared in one turn of the event loop. */
const TURN_BYTES = 128 * 1024
/** Bytes between the pauses of a slow check. */
const REST_BYTES = 1024 * 1024

export interface ScrubParts {
  database: OpenDatabase
  volumes: Volumes
  timeSeries: TimeSeriesStore | undefined
  clock: () => Date
  log: Settings['log']
}

export interface Scrubber extends Task {
  /** Checks everything now, as fast as other work permits. */
  scrub: () => Promise<void>
}

/** The check ends early: the server stops, or another one has taken it over. */
class Ended extends Error {}

export function createScrubber(parts: ScrubParts): Scrubber {
  const { database, volumes, timeSeries, clock, log } = parts
  const { db } = database
  const lease = createTaskLease(database, 'scrub', log, async () => true)
  let stopped = false
  let started = false
  /** The requested check that is to run next, or runs. */
  let asked = false
  /** Ends the pause of a slow check. */
  let wake = () => {}

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timeout)
        resolve()
      }
    })

  /** @param bytesPerSecond Infinity for as fast as other work permits */
  function throttleTo(bytesPerSecond: number, may: () => boolean): Throttle {
    let read = 0
    let bytesOfTurn = 0
    return async (bytes) => {
      if (stopped || !may()) throw new Ended()
      read += bytes
      bytesOfTurn += bytes
      if (bytesOfTurn < TURN_BYTES) return
      bytesOfTurn = 0
      await yieldToEventLoop()
      if (bytesPerSecond === Infinity || read < REST_BYTES) return
      await rest((read / bytesPerSecond) * 1000)
      read = 0
      if (stopped) throw new Ended()
    }
  }

  const note = (kind: DamageTable['kind'], thing: string, bytes: number | null) =>
    noteDamage({ db, log, now: clock() }, kind, thing, bytes)

  async function checkVolumes(throttle: Throttle, from: string | null): Promise<void> {
    let position = from ?? ''
    for (;;) {
      const page = await volumes.withBytes(position, PAGE)
      for (const id of page) {
        const damaged = await volumes.check(id, throttle)
        if (damaged.length === 0) await endDamage(db, 'volume', { thing: id })
        else {
          const bytes = damaged.reduce((sum, { length }) => sum + length, 0)
          await note('volume', id, bytes)
        }
        position = id
        await moveTo('volume', { position })
        if (stopped) throw new Ended()
      }
      if (page.length < PAGE) return
    }
  }

  async function checkTimeSeries(throttle: Throttle): Promise<void> {
    const damaged = (await timeSeries?.check?.(throttle)) ?? []
    for (const file of damaged) await note('time_series', file, null)
    await endDamage(db, 'time_series', { others: damaged })
  }

  const moveTo = (
    kind: DamageTable['kind'],
    values: { position: string | null; time_finished?: string },
  ) =>
    db
      .insertInto('scrub')
      .values({ kind, time_finished: null, ...values })
      .onConflict((conflict) => conflict.column('kind').doUpdateSet(values))
      .execute()

  /** @param every milliseconds after the last check at which another one is due */
  async function run(
    kind: DamageTable['kind'],
    every: number,
    check: (position: string | null) => Promise<void>,
  ): Promise<void> {
    const row = await db.selectFrom('scrub').selectAll().where('kind', '=', kind).executeTakeFirst()
    const since = row?.time_finished ? clock().getTime() - Date.parse(row.time_finished) : Infinity
    // A time in the future is from before the clock was set back.
    if (since >= 0 && since < every) return
    await check(row?.position ?? null)
    await moveTo(kind, { position: null, time_finished: clock().toISOString() })
  }

  async function runAll(every: number, bytesPerSecond: number): Promise<void> {
    const throttle = throttleTo(bytesPerSecond, lease.held)
    try {
      if (await lease.take()) {
        await run('volume', every, (position) =>
          // A requested check starts from the beginning.
          checkVolumes(throttle, every === 0 ? null : position),
        )
      }
      if (timeSeries?.check && !(await timeSeries.isElsewhere())) {
        await run('time_series', every, () =>
          checkTimeSeries(throttleTo(bytesPerSecond, () => true)),
        )
      }
    } catch (error) {
      if (!(error instanceof Ended) && !(error instanceof TimeSeriesUnavailable)) throw error
    }
  }

  const task = createTask(
    parts,
    { name: 'checking what is stored for damage', every: LOOK_MS, first: 0, lease },
    () => (asked ? runAll(0, Infinity) : runAll(SCRUB_EVERY_MS, SCRUB_BYTES_PER_SECOND)),
  )
  return {
    ...task,
    async scrub() {
      asked = true
      await task.now()
      asked = false
      // Another server may continue, unless this one checks all the time.
      if (!started) await lease.stop()
    },
    start() {
      started = true
      return task.start()
    },
    stop() {
      stopped = true
      wake()
      return task.stop()
    },
  }
}

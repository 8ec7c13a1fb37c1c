/**
 * Notices that the clock was ahead. The database keeps the latest time that a server has seen; a
 * clock that is earlier is right again, or wrong now.
 */
import type { OpenDatabase } from './db/database.ts'
import { readSetting, writeSetting } from './db/setting.ts'
import { CLOCKS_DIFFER_MS, correctTimesAhead } from './db/times-ahead.ts'
import { createPeriodicTask } from './reconciler/periodic-task.ts'
import type { Settings } from './settings.ts'

export const CLOCK_MARK = 'clock_mark'

const MARK_MS = 60_000
/** Two servers whose clocks disagree for good must not correct each other all the time. */
const REST_MS = 60 * 60_000

interface Parts {
  database: Pick<OpenDatabase, 'db' | 'dialect' | 'transaction'>
  clock: () => Date
  settings: Pick<Settings, 'log'>
  /** Called after times were corrected: rows may be due. */
  corrected: () => void
}

export interface ClockMark {
  /** Looks once. */
  look: () => Promise<void>
  start: () => void
  stop: () => Promise<void>
}

export function createClockMark({ database, clock, settings, corrected }: Parts): ClockMark {
  const { db } = database
  let stopped = false
  let restUntil = 0

  async function look(): Promise<void> {
    const now = clock()
    const mark = await readSetting(db, CLOCK_MARK)
    const wasAhead = mark === undefined || Date.parse(mark) > now.getTime() + CLOCKS_DIFFER_MS
    if (wasAhead) {
      if (performance.now() < restUntil) return
      const tables = await correctTimesAhead(database, now, () => !stopped)
      if (stopped) return
      restUntil = performance.now() + REST_MS
      if (tables.size > 0) {
        const found = [...tables].map(([table, rows]) => `${table} (${rows})`).join(', ')
        const until = mark ?? 'a later time'
        settings.log(
          `the clock showed ${until} before, and shows ${now.toISOString()} now; times that were stored ahead are set to now: ${found}`,
        )
        corrected()
      }
    }
    if (wasAhead || now.toISOString() > mark) {
      await writeSetting(db, CLOCK_MARK, now.toISOString())
    }
  }

  const task = createPeriodicTask(
    'comparing the clock with the database',
    MARK_MS,
    look,
    settings.log,
  )
  return {
    look: task.now,
    start() {
      task.start()
      void task.now()
    },
    async stop() {
      stopped = true
      await task.stop()
    },
  }
}

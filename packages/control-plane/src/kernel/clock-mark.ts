/**
 * Notices that the clock was ahead. The database keeps the latest time that a server has seen. A
 * clock that is earlier is either right again, or wrong now, as on a host that has just started and
 * has not asked a time server yet. Correcting loses the order of what was stored since, so the clock
 * has to stay there for some looks first.
 */
import type { OpenDatabase } from './db/database.ts'
import { readSetting, writeSetting } from './db/setting.ts'
import { CLOCKS_DIFFER_MS, correctTimesAhead } from './db/times-ahead.ts'
import { createPeriodicTask } from './reconciler/periodic-task.ts'
import type { Settings } from './settings.ts'

export const CLOCK_MARK = 'clock_mark'

/** The key of the time of the first start. */
export const BOOTSTRAPPED = 'bootstrapped'

const LOOK_MS = 60_000
/** Looks in a row that find an earlier clock before times are corrected. */
export const CONFIRMING_LOOKS = 10
/** The same for a clock before the first start of the database, which is hardly right. */
const DOUBTING_LOOKS = 60
/** Two servers whose clocks disagree for good must not correct each other all the time. */
const RESTING_LOOKS = 60

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
  let looksBehind = 0
  let looksToRest = 0

  /** Whether the clock has been earlier than the mark for long enough. */
  async function isConfirmed(now: Date, mark: string | undefined): Promise<boolean> {
    looksBehind++
    // A database of an earlier version, without a mark: looked at once, in case it holds such times.
    if (mark === undefined) return true
    const first = await readSetting(db, BOOTSTRAPPED)
    const isDoubtful = first !== undefined && now.toISOString() < first
    if (looksBehind === 1) {
      settings.log(
        `the clock shows ${now.toISOString()}, and showed ${mark} before; if it stays, times that were stored ahead are set back`,
      )
    }
    return looksBehind >= (isDoubtful ? DOUBTING_LOOKS : CONFIRMING_LOOKS)
  }

  async function look(): Promise<void> {
    const now = clock()
    const mark = await readSetting(db, CLOCK_MARK)
    const wasAhead = mark === undefined || Date.parse(mark) > now.getTime() + CLOCKS_DIFFER_MS
    if (looksToRest > 0) looksToRest--
    if (wasAhead) {
      if (looksToRest > 0 || !(await isConfirmed(now, mark))) return
      const tables = await correctTimesAhead(database, now, () => !stopped)
      if (stopped) return
      looksToRest = RESTING_LOOKS
      if (tables.size > 0) {
        const found = [...tables].map(([table, rows]) => `${table} (${rows})`).join(', ')
        const until = mark ?? 'a later time'
        settings.log(
          `the clock showed ${until} before, and shows ${now.toISOString()} now; times that were stored ahead are set to now: ${found}`,
        )
        corrected()
      }
    }
    looksBehind = 0
    if (wasAhead || now.toISOString() > mark) {
      await writeSetting(db, CLOCK_MARK, now.toISOString())
    }
  }

  const task = createPeriodicTask(
    'comparing the clock with the database',
    LOOK_MS,
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

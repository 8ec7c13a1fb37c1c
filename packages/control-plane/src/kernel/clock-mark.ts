/**
 * Notices that the clock was ahead. The database keeps the latest time that a server has seen. A
 * clock that is earlier is either right again, or wrong now, as on a host that has just started and
 * has not asked a time server yet. Correcting loses the order of what was stored since, so the clock
 * has to stay there for some looks first.
 */
import type { OpenDatabase } from './db/database.ts'
import { BOOTSTRAPPED, readSetting, writeSetting } from './db/setting.ts'
import { CLOCKS_DIFFER_MS, correctTimesAhead } from './db/times-ahead.ts'
import type { Settings } from './settings.ts'
import { createTask, type Task } from './task.ts'

export const CLOCK_MARK = 'clock_mark'

const LOOK_MS = 60_000
/**
 * Looks in a row that find an earlier clock before times are corrected. The database of an earlier
 * version has no mark yet, and may hold such times: its first looks count as well.
 */
export const CONFIRMING_LOOKS = 10
/** The same for a clock before the first start of the database, which is hardly right. */
export const DOUBTING_LOOKS = 60
/** Two servers whose clocks disagree for good must not correct each other all the time. */
const RESTING_LOOKS = 60

interface Parts {
  database: Pick<OpenDatabase, 'db' | 'dialect' | 'transaction'>
  clock: () => Date
  log: Settings['log']
  /** Called after times were corrected: rows may be due. */
  corrected: () => void
}

export interface ClockMark extends Task {
  /** Looks once. */
  look: () => Promise<void>
}

export function createClockMark({ database, clock, log, corrected }: Parts): ClockMark {
  const { db } = database
  let looksBehind = 0
  let looksToRest = 0

  /** Whether the clock has been earlier than the mark for long enough. */
  async function isConfirmed(time: string, mark: string | undefined): Promise<boolean> {
    looksBehind++
    if (looksBehind === 1 && mark !== undefined) {
      log(
        `the clock shows ${time}, and showed ${mark} before; if it stays there, stored times that are ahead are set to now`,
      )
    }
    const first = await readSetting(db, BOOTSTRAPPED)
    const isDoubtful = first !== undefined && time < first
    return looksBehind >= (isDoubtful ? DOUBTING_LOOKS : CONFIRMING_LOOKS)
  }

  async function look(isActive: () => boolean): Promise<void> {
    const now = clock()
    const time = now.toISOString()
    const mark = await readSetting(db, CLOCK_MARK)
    const wasAhead = mark === undefined || Date.parse(mark) > now.getTime() + CLOCKS_DIFFER_MS
    if (looksToRest > 0) looksToRest--
    if (wasAhead) {
      if (looksToRest > 0 || !(await isConfirmed(time, mark))) return
      const tables = await correctTimesAhead(database, now, isActive)
      if (!isActive()) return
      looksToRest = RESTING_LOOKS
      if (tables.size > 0) {
        const found = [...tables].map(([table, rows]) => `${table} (${rows})`).join(', ')
        log(
          `the clock showed ${mark ?? 'a later time'} before, and shows ${time} now; stored times that were ahead are set to now: ${found}`,
        )
        corrected()
      }
    }
    looksBehind = 0
    if (wasAhead || time > mark) await writeSetting(db, CLOCK_MARK, time)
  }

  const task = createTask(
    { clock, log },
    { name: 'comparing the clock with the database', every: LOOK_MS, first: 0 },
    look,
  )
  return { ...task, look: task.now }
}

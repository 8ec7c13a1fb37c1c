/**
 * The clock of servers on one database: that of the database. The clocks of their machines may be
 * minutes apart, and what one server stores, another compares with the present. Each server reads
 * the time of the database now and then, and in between counts on by its monotonic clock.
 */
import {
  CLOCK_APART_ADVICE,
  CLOCK_APART_EFFECT,
  clockDifference,
  isClockApart,
} from '@steading/api/rules'
import type { Settings } from '../settings.ts'
import { createTask, type Task } from '../task.ts'
import type { Db, OpenDatabase } from './database.ts'
import { databaseNow } from './leases.ts'
import { createClockRecord } from './server-clocks.ts'

/** Readings at the start. The fastest of them is the most exact. */
const FIRST_READINGS = 3
/** Between two readings: clocks of databases are set, and a failover leads to another one. Milliseconds. */
const READING_MS = 5_000

/** A reading, with the times of a monotonic clock before and after it. Milliseconds. */
export interface ClockReading {
  sent: number
  time: number
  received: number
}

/**
 * The difference between the time of the database and the monotonic clock after a reading, in
 * milliseconds. It changes by no more than the reading proves, so a slow answer does not make it less
 * exact.
 * @param before the difference until then; undefined at the first reading
 */
export function offsetAfter(
  before: number | undefined,
  { sent, time, received }: ClockReading,
): number {
  // The time was whole milliseconds, read at some moment between the two.
  const least = time - received
  const most = time + 1 - sent
  return before === undefined ? (least + most) / 2 : Math.min(Math.max(before, least), most)
}

export interface DatabaseClock {
  now: () => Date
  /** By how much the clock of this machine is ahead now. Seconds. */
  machineAhead: () => number
  /** Reads the time of the database. */
  read: () => Promise<void>
}

export async function openDatabaseClock({
  db,
  dialect,
}: Pick<OpenDatabase, 'db' | 'dialect'>): Promise<DatabaseClock> {
  let offset: number | undefined
  const read = async (): Promise<void> => {
    const sent = performance.now()
    const { time } = await db
      .selectNoFrom(databaseNow(dialect).as('time'))
      .executeTakeFirstOrThrow()
    offset = offsetAfter(offset, { sent, time: Number(time), received: performance.now() })
  }
  for (let n = 0; n < FIRST_READINGS; n++) await read()
  const now = () => new Date(performance.now() + offset!)
  return { now, machineAhead: () => (Date.now() - now().getTime()) / 1000, read }
}

/** Reads the time of the database again and again, and tells of a clock of this machine that is far from it. */
export function createClockReading(
  { now, machineAhead, read }: DatabaseClock,
  db: Db,
  { log, serverName }: Pick<Settings, 'log' | 'serverName'>,
): Task {
  const record = createClockRecord(db, serverName)
  let wasApart = false
  const round = async (): Promise<void> => {
    await read()
    const seconds = machineAhead()
    const isApart = isClockApart(seconds)
    if (isApart !== wasApart) {
      log(
        isApart
          ? `the clock of this machine is ${clockDifference(seconds)}; ${CLOCK_APART_EFFECT}; ${CLOCK_APART_ADVICE}`
          : 'the clock of this machine agrees with the database again',
      )
    }
    wasApart = isApart
    await (isApart ? record.isWrong(seconds, now()) : record.isRight())
  }
  const name = 'reading the clock of the database'
  return createTask({ clock: now, log }, { name, every: READING_MS, first: 0 }, round)
}

/**
 * Machines whose clocks are far from that of the database, as reported by their servers. Operators
 * see them at any server. Times are by the clock of the database.
 */
import type { Db } from './database.ts'

/** Age up to which a row is believed: its server may have died. Milliseconds. */
const BELIEVED_MS = 180_000
/** Time between two writes of an unchanged row. Milliseconds. */
const REPEAT_MS = 60_000

/** The times of rows that are believed. Rows ahead of them were written before a clock was set back. */
const believed = (now: Date): { from: string; until: string } => {
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString()
  return { from: at(-BELIEVED_MS), until: at(BELIEVED_MS) }
}

/** The rows of wrong clocks, by the name of the machine. */
export function wrongClocks(db: Db, now: Date) {
  const { from, until } = believed(now)
  return db
    .selectFrom('server_clock')
    .select(['id', 'seconds_ahead', 'time_began'])
    .where('time_seen', '>', from)
    .where('time_seen', '<', until)
    .orderBy('id')
    .execute()
}

/** Writes and removes the row of a machine. */
export interface ClockRecord {
  /** @param secondsAhead of the clock of the database */
  isWrong: (secondsAhead: number, now: Date) => Promise<void>
  isRight: () => Promise<void>
}

/** @param id name of the machine */
export function createClockRecord(db: Db, id: string): ClockRecord {
  /** The row as written here. Undefined at the start: an earlier server may have left a row. */
  let written: { seconds: number; time: number } | 'none' | undefined
  return {
    async isWrong(secondsAhead, now) {
      const seconds_ahead = Math.round(secondsAhead)
      const time = now.getTime()
      if (
        typeof written === 'object' &&
        written.seconds === seconds_ahead &&
        Math.abs(time - written.time) < REPEAT_MS
      ) {
        return
      }
      const { from, until } = believed(now)
      await db
        .deleteFrom('server_clock')
        .where((eb) => eb.or([eb('time_seen', '<=', from), eb('time_seen', '>=', until)]))
        .execute()
      const values = { seconds_ahead, time_seen: now.toISOString() }
      await db
        .insertInto('server_clock')
        .values({ id, time_began: values.time_seen, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
      written = { seconds: seconds_ahead, time }
    },
    async isRight() {
      if (written === 'none') return
      await db.deleteFrom('server_clock').where('id', '=', id).execute()
      written = 'none'
    },
  }
}

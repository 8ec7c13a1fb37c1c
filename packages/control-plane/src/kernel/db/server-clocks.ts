/**
 * Machines whose clocks are far from that of the database, as their servers say. Operators see them
 * at any server. Times are by the clock of the database.
 */
import type { Db } from './database.ts'

/** The row of a server that has died is believed for so long. Milliseconds. */
const BELIEVED_MS = 180_000
/** How often a server says so again. Milliseconds. */
const REPEAT_MS = 60_000

export interface WrongClock {
  /** Name of the machine. */
  id: string
  seconds_ahead: number
  time_began: string
}

/** A row ahead of the present was written before the clock of the database was set back. */
const isBelieved = ({ time_seen }: { time_seen: string }, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(time_seen)) < BELIEVED_MS

export async function wrongClocks(db: Db, now: Date): Promise<WrongClock[]> {
  const rows = await db.selectFrom('server_clock').selectAll().orderBy('id').execute()
  return rows.filter((row) => isBelieved(row, now))
}

/** What a server tells about the clock of its machine. */
export interface ClockRecord {
  /** @param secondsAhead of the clock of the database */
  isWrong: (secondsAhead: number, now: Date) => Promise<void>
  isRight: () => Promise<void>
}

/** @param id name of the machine */
export function createClockRecord(db: Db, id: string): ClockRecord {
  /** What the row says; undefined until the first look, because of a row of an earlier start. */
  let told: { seconds: number; time: number } | null | undefined
  return {
    async isWrong(secondsAhead, now) {
      const seconds = Math.round(secondsAhead)
      const time = now.getTime()
      if (told && told.seconds === seconds && Math.abs(time - told.time) < REPEAT_MS) return
      const time_seen = now.toISOString()
      await db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom('server_clock')
          .select(['time_began', 'time_seen'])
          .where('id', '=', id)
          .executeTakeFirst()
        const time_began = before && isBelieved(before, now) ? before.time_began : time_seen
        const values = { seconds_ahead: seconds, time_began, time_seen }
        await tx
          .insertInto('server_clock')
          .values({ id, ...values })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute()
      })
      told = { seconds, time }
    },
    async isRight() {
      if (told === null) return
      await db.deleteFrom('server_clock').where('id', '=', id).execute()
      told = null
    },
  }
}

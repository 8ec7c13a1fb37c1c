/**
 * Reads records in slices, because the database inside of this process blocks the thread while it
 * answers, and there may be millions. The slices add up to the records of one moment, although
 * records end meanwhile: those that had ended by then never change, and those that had not are found
 * by their resource, whether they have ended since or not.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect } from '../../../kernel/db/database.ts'
import { databaseNow } from '../../../kernel/db/leases.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { GOES_ON } from './table.ts'

/** Records in a slice. */
const SLICE = 1_000

export interface Span {
  /** Milliseconds since 1970. */
  from: number
  /** After the last millisecond. */
  to: number
}

/** Milliseconds since 1970 by the clock of the database. */
export async function clockOf(db: Db, dialect: Dialect): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${databaseNow(dialect)} as now`.execute(db)
  return Number(rows[0]!.now)
}

interface Position {
  time_end: number
  thing_id: string
  metric: string
}

/**
 * After or up to a position. The bound of the time is separate, because SQLite does not find the
 * others in its index.
 */
const after = ({ time_end, thing_id, metric }: Position) =>
  sql<boolean>`(time_end > ${time_end} or (thing_id, metric) > (${thing_id}, ${metric}))`
const upTo = ({ time_end, thing_id, metric }: Position) =>
  sql<boolean>`(time_end < ${time_end} or (thing_id, metric) <= (${thing_id}, ${metric}))`

const all = (conditions: (RawBuilder<boolean> | undefined)[]): RawBuilder<boolean> =>
  sql`(${sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  )})`

/** Records that had ended by a moment, and after the beginning of the span. */
async function* ended(db: Db, siloId: string, from: number, moment: number) {
  for (let last: Position | undefined; ;) {
    // One bound on each side: SQLite uses the first of several.
    const part = (end?: Position) =>
      all([
        sql<boolean>`silo_id = ${siloId}`,
        last ? sql<boolean>`time_end >= ${last.time_end}` : sql<boolean>`time_end > ${from}`,
        end ? sql<boolean>`time_end <= ${end.time_end}` : sql<boolean>`time_end < ${moment}`,
        last && after(last),
        end && upTo(end),
      ])
    const { rows } = await sql<Position>`
      select time_end, thing_id, metric from usage_record
      where ${part()}
      order by time_end, thing_id, metric limit 1 offset ${sql.lit(SLICE - 1)}`.execute(db)
    const end: Position | undefined = rows[0] && {
      ...rows[0],
      time_end: Number(rows[0].time_end),
    }
    yield sql`select * from usage_record where ${part(end)}`
    if (!end) return
    last = end
    await yieldToEventLoop()
  }
}

/**
 * Records that had not ended by a moment. Each slice is read by one statement, so a record that ends
 * meanwhile is found once, among those that go on or among those that have ended since.
 */
async function* goingOn(db: Db, siloId: string, moment: number) {
  for (let last: string | undefined; ;) {
    const { rows } = await sql<{ thing_id: string }>`
      select thing_id from usage_record
      where silo_id = ${siloId} and time_end = ${sql.lit(GOES_ON)}
        and ${last === undefined ? sql`1 = 1` : sql`thing_id > ${last}`}
      order by thing_id, metric limit 1 offset ${sql.lit(SLICE - 1)}`.execute(db)
    const end = rows[0]?.thing_id
    const things = all([
      sql<boolean>`silo_id = ${siloId}`,
      last === undefined ? undefined : sql<boolean>`thing_id > ${last}`,
      end === undefined ? undefined : sql<boolean>`thing_id <= ${end}`,
    ])
    yield sql`select * from usage_record where ${things} and time_end = ${sql.lit(GOES_ON)}
      union all
      select * from usage_record where ${things} and time_end >= ${moment}
        and time_end < ${sql.lit(GOES_ON)}`
    if (end === undefined) return
    last = end
    await yieldToEventLoop()
  }
}

/**
 * Queries for the slices of the records of a silo that may be in a span.
 * @param moment now, by the clock of the database
 */
export async function* slicesOf(
  db: Db,
  siloId: string,
  from: number,
  moment: number,
): AsyncGenerator<RawBuilder<unknown>> {
  yield* ended(db, siloId, from, moment)
  yield* goingOn(db, siloId, moment)
}

/** Silos that may have records, in their order. */
export async function silosWithRecords(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from silo union select id from usage_place where kind = 'silo' order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

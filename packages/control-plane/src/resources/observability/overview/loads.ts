/** Stores the load of each minute for charts. */
import { CHART_POINTS, CHART_STEP_SECONDS } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { unsynced } from '../../../kernel/db/unsynced.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Load } from './load-meter.ts'
import './table.ts'

export const STEP_MS = 1000 * CHART_STEP_SECONDS
/** Time for which the load is kept. */
export const KEPT_MS = (CHART_POINTS + 5) * STEP_MS
/** Rows per insert. */
const PIECE = 100

export const beginOfMinute = (time: number): number => Math.floor(time / STEP_MS) * STEP_MS

export const minuteOf = (time: number): string => new Date(beginOfMinute(time)).toISOString()

const columns = [
  'cpus',
  'disk_bytes',
  'network_bytes',
  'power',
  'requests',
  'cpus_provisioned',
] as const

/**
 * Adds the load of a minute, and removes old ones. Servers that measure parts of a target do so for
 * the same row.
 * @param minute its beginning
 */
export async function recordLoads(
  db: Db,
  minute: string,
  loads: ReadonlyMap<string, Load>,
): Promise<void> {
  // Servers lock the rows in the same order.
  const rows = [...loads]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([target_id, load]) => ({
      target_id,
      time: minute,
      ...Object.fromEntries(columns.map((column) => [column, load[column] ?? null])),
    })) as ({ target_id: string; time: string } & Record<(typeof columns)[number], number | null>)[]
  const sum = (column: string) =>
    sql<number | null>`case when excluded.${sql.ref(column)} is null then load.${sql.ref(column)}
      else coalesce(load.${sql.ref(column)}, 0) + excluded.${sql.ref(column)} end`
  for (let from = 0; from < rows.length; from += PIECE) {
    if (from > 0) await yieldToEventLoop()
    await db
      .insertInto('load')
      .values(rows.slice(from, from + PIECE))
      .onConflict((conflict) =>
        conflict
          .columns(['target_id', 'time'])
          .doUpdateSet(Object.fromEntries(columns.map((column) => [column, sum(column)]))),
      )
      .modifyEnd(unsynced)
      .execute()
  }
  await db
    .deleteFrom('load')
    .where('time', '<', minuteOf(Date.parse(minute) - KEPT_MS))
    .modifyEnd(unsynced)
    .execute()
}

/**
 * Beginning of the last minute before a time whose load was measured, in milliseconds. Later ones
 * are from a clock that was ahead.
 */
export async function lastLoad(db: Db, before: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('load')
    .select('time')
    .where('cpus', 'is not', null)
    .where('time', '<', minuteOf(before))
    .orderBy('time', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && beginOfMinute(Date.parse(row.time))
}

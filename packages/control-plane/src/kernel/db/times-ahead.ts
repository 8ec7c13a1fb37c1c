/**
 * Times that were stored while the clock was ahead. Code that compares them with the clock would wait
 * for as long as the clock was ahead: for one-time passwords, schedules, cooldowns and retention.
 *
 * Each column with a time is set to now, unless its table declares why it may be ahead.
 */
import { type RawBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Dialect, OpenDatabase } from './database.ts'
import { storedTables, type TableName, type TimeColumn } from './tables.ts'

/** Milliseconds by which the clocks of servers may differ. */
export const CLOCKS_DIFFER_MS = 60_000

/** Rows that are looked at in one turn; SQLite blocks the thread meanwhile. */
const CHUNK = 5_000

const isTime = (column: string): boolean =>
  column === 'time' || /^time_(?!zone)|_at$|_until$/.test(column)

/** The columns with times of a table, with their declarations. */
export function timeColumns(
  table: string,
  columns: readonly { name: string; isText: boolean }[],
): { name: string; declared: TimeColumn | undefined; isText: boolean }[] {
  const declared = storedTables().get(table as TableName)?.times ?? {}
  return columns
    .filter(({ name }) => name in declared || isTime(name))
    .map((column) => ({ ...column, declared: declared[column.name] }))
}

/** The tables of engines, whose times are their own. */
const isOfEngine = (table: string): boolean => table.startsWith('simulated_')

/** A time moved back by as much as another one is ahead, as RFC 3339. */
function moved(dialect: Dialect, column: string, since: string, now: string) {
  const [end, begin] = [sql.ref(column), sql.ref(since)]
  return dialect === 'postgres'
    ? sql<string>`to_char(
        (cast(${end} as timestamptz) - (cast(${begin} as timestamptz) - cast(${now} as timestamptz)))
          at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ',
        unixepoch(${end}, 'subsec') - unixepoch(${begin}, 'subsec') + unixepoch(${now}, 'subsec'),
        'unixepoch')`
}

interface Correction {
  column: string
  /** True of a row whose time is ahead. */
  ahead: RawBuilder<boolean>
  value: RawBuilder<unknown>
}

function correctionsOf(
  dialect: Dialect,
  columns: ReturnType<typeof timeColumns>,
  now: Date,
): Correction[] {
  const time = now.toISOString()
  const limit = new Date(now.getTime() + CLOCKS_DIFFER_MS)
  const isAhead = (column: string) => sql<boolean>`${sql.ref(column)} > ${limit.toISOString()}`
  return columns.flatMap(({ name, declared, isText }): Correction[] => {
    if (!declared)
      return isText ? [{ column: name, ahead: isAhead(name), value: sql`${time}` }] : []
    if ('numberOf' in declared) {
      const ahead = sql<boolean>`${sql.ref(name)} > ${declared.numberOf(limit)}`
      return [{ column: name, ahead, value: sql`${declared.numberOf(now)}` }]
    }
    if ('endsAfter' in declared) {
      const ahead = sql<boolean>`(${isAhead(declared.endsAfter)} and ${sql.ref(name)} is not null)`
      return [{ column: name, ahead, value: moved(dialect, name, declared.endsAfter, time) }]
    }
    return []
  })
}

/** Corrects the rows of a table that meet a condition. @returns the number of changed rows */
async function correct(
  { transaction }: Pick<OpenDatabase, 'transaction'>,
  table: string,
  corrections: readonly Correction[],
  within: RawBuilder<boolean>,
): Promise<number> {
  const values = corrections.map(
    ({ column, ahead, value }) =>
      sql`${sql.ref(column)} = case when ${ahead} then ${value} else ${sql.ref(column)} end`,
  )
  const any = sql.join(
    corrections.map(({ ahead }) => ahead),
    sql` or `,
  )
  const { numAffectedRows } = await transaction((tx) =>
    sql`update ${sql.table(table)} set ${sql.join(values)} where ${within} and (${any})`.execute(
      tx,
    ),
  )
  return Number(numAffectedRows ?? 0)
}

/**
 * Sets all stored times that are ahead of the clock to now.
 * @returns table → number of corrected rows
 */
export async function correctTimesAhead(
  database: Pick<OpenDatabase, 'db' | 'dialect' | 'transaction'>,
  now: Date,
  isActive: () => boolean = () => true,
): Promise<Map<string, number>> {
  const { db, dialect } = database
  const corrected = new Map<string, number>()
  for (const { name, columns } of await db.introspection.getTables()) {
    if (!isActive()) break
    if (isOfEngine(name)) continue
    const known = columns.map((column) => ({
      name: column.name,
      isText: column.dataType === 'text' || column.dataType === 'TEXT',
    }))
    const corrections = correctionsOf(dialect, timeColumns(name, known), now)
    if (corrections.length === 0) continue
    const count = (rows: number) => {
      if (rows > 0) corrected.set(name, (corrected.get(name) ?? 0) + rows)
    }
    if (dialect === 'postgres') {
      count(await correct(database, name, corrections, sql`true`))
      continue
    }
    const { rows } = await sql<{ last: number | null }>`
      select max(rowid) as last from ${sql.table(name)}`.execute(db)
    for (let from = 0; from <= (rows[0]?.last ?? -1) && isActive(); from += CHUNK) {
      const within = sql<boolean>`rowid >= ${from} and rowid < ${from + CHUNK}`
      count(await correct(database, name, corrections, within))
      await yieldToEventLoop()
    }
  }
  return corrected
}

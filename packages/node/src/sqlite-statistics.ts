/**
 * Statistics of SQLite's planner, from which it chooses indexes. They are kept up to date while a
 * server runs: a plan for the ten rows of yesterday may read all of today's million.
 */
import type { DatabaseSync } from 'node:sqlite'

const INTERVAL_MS = 5 * 60 * 1000
/** Rows of each index that are looked at, so that one table takes a few milliseconds. */
const ROWS = 200

/**
 * Removes statistics that call a table or a partial index empty: a scan of it would seem to cost
 * nothing, also once it has many rows. Without statistics the planner expects many. A full disk or
 * damage prevents it, and calls encounter these themselves.
 */
export function forgetEmptyTables(database: DatabaseSync): void {
  try {
    const known = database.prepare(`select 1 from sqlite_master where name = 'sqlite_stat1'`).get()
    if (!known) return
    const { changes } = database.prepare(`delete from sqlite_stat1 where stat glob '0 *'`).run()
    if (changes) database.exec('analyze sqlite_schema')
  } catch {
    // Plans stay as they were.
  }
}

/** The statements that would update what is out of date, one for each table. */
const outdated = (database: DatabaseSync): string[] => {
  // The lowest bit lists the statements instead of running them.
  const rows = database.prepare('pragma optimize(0xffff)').all()
  return rows.map((row) => String(Object.values(row)[0])).filter((sql) => /^analyze /i.test(sql))
}

/**
 * Updates outdated statistics, each table in a turn of the event loop of its own.
 * @param isActive whether the connection is still open
 */
export async function updateStatistics(
  database: DatabaseSync,
  isActive: () => boolean = () => true,
): Promise<void> {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
  for (const sql of database.isTransaction ? [] : outdated(database)) {
    await nextTurn()
    // They would be rolled back with the transaction, and are outdated the next time too.
    if (!isActive() || database.isTransaction) return
    database.exec(sql)
    forgetEmptyTables(database)
  }
}

/**
 * Keeps statistics up to date.
 * @returns ends it
 */
export function keepStatistics(database: DatabaseSync): () => void {
  database.exec(`pragma analysis_limit = ${ROWS}`)
  const timer = setInterval(() => {
    // A full disk or another program's lock prevents it for now.
    updateStatistics(database, () => database.isOpen).catch(() => {})
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isLive, references } from './references.ts'
import { storedTables, type TableName, tablesAbout } from './tables.ts'

/** The references by which rows are inside of rows of a table. */
const inside = (whole: TableName) =>
  references().filter(({ to, kind }) => to === whole && kind === 'within')

/** Deletes the rows about a resource that ends, such as its tags. */
export async function deleteAbout(db: Db, kind: string, id: string): Promise<void> {
  for (const { table, column } of tablesAbout()) {
    await sql`delete from ${sql.table(table)}
      where ${sql.ref(column)} = ${id} and kind = ${kind}`.execute(db)
  }
}

/**
 * Deletes everything inside of a resource, at any depth: rows of marked tables are marked as
 * deleted, other rows are removed. Before that, the resource has to delete whatever it keeps
 * outside of the database, and to notify clients.
 * @param except tables that are known to have no rows there
 */
export async function deleteContents(
  db: Db,
  whole: TableName,
  id: string,
  now: Date,
  except: readonly TableName[] = [],
): Promise<void> {
  await endInside(db, whole, sql`${id}`, now.toISOString(), new Set([whole, ...except]))
}

async function endInside(
  db: Db,
  whole: TableName,
  ids: ReturnType<typeof sql>,
  time: string,
  done: ReadonlySet<TableName>,
): Promise<void> {
  for (const { table, column } of inside(whole)) {
    if (done.has(table)) continue
    const itsRows = sql`${sql.ref(column)} in (${ids}) and ${isLive(table)}`
    if (inside(table).length > 0) {
      const live = sql`select id from ${sql.table(table)} where ${itsRows}`
      await endInside(db, table, live, time, new Set([...done, table]))
    }
    await (storedTables().get(table)?.marked
      ? sql`update ${sql.table(table)} set time_deleted = ${time} where ${itsRows}`.execute(db)
      : sql`delete from ${sql.table(table)} where ${itsRows}`.execute(db))
  }
}

/**
 * Which rows name which others. There are no foreign keys on most tables: SQLite can add one only by
 * writing a table and its indexes anew, and a key alone does not say what is wanted here, that a row
 * must not be marked as deleted while others are in it.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { storedTables, type TableName } from './tables.ts'

interface Reference {
  table: TableName
  column: string
  to: TableName
  /** See `StoredTable`. */
  kind: 'within' | 'origin'
}

/** All references that the resources have declared. */
export const references = (): Reference[] =>
  [...storedTables()].flatMap(([table, { within = {}, origins = {} }]) => [
    ...Object.entries(within).map(([column, to]): Reference => ({
      table,
      column,
      to: to!,
      kind: 'within',
    })),
    ...Object.entries(origins).map(([column, to]): Reference => ({
      table,
      column,
      to: to!,
      kind: 'origin',
    })),
  ])

/** SQL that is true for live rows of a table. */
export const isLive = (table: TableName, alias: string = table) =>
  sql.raw<boolean>(storedTables().get(table)?.marked ? `${alias}.time_deleted is null` : 'true')

/** A reference that leads nowhere, with one of its rows and how many there are. */
export interface Dangling {
  table: TableName
  column: string
  to: TableName
  rows: number
  example: string
}

/** Looks through all references of live rows; for tests and for who suspects that something is lost. */
export async function findDangling(db: Db): Promise<Dangling[]> {
  const found: Dangling[] = []
  for (const { table, column, to, kind } of references()) {
    const id = `its.${column}`
    const { rows } = await sql<{ rows: number; example: string | null }>`
      select count(*) as rows, min(${sql.ref(id)}) as example from ${sql.table(table)} as its
      where ${isLive(table, 'its')} and ${sql.ref(id)} is not null and not exists (
        select 1 from ${sql.table(to)} as other where other.id = ${sql.ref(id)}
          and ${kind === 'within' ? isLive(to, 'other') : sql`true`})`.execute(db)
    const { rows: count, example } = rows[0]!
    if (count > 0) found.push({ table, column, to, rows: count, example: example! })
  }
  return found
}

/**
 * References between tables. Most tables have no foreign keys: SQLite can add one only by rewriting
 * a table and its indexes, and a foreign key cannot express the rule that matters here: a row must
 * not be marked as deleted while live rows are inside of it.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { storedTables, type TableName } from './tables.ts'

interface Reference {
  table: TableName
  column: string
  to: TableName
  /** See `StoredTable`. */
  kind: 'within' | 'origin' | 'part'
}

/** All references that the resources have declared. */
export const references = (): Reference[] =>
  [...storedTables()].flatMap(([table, { within = {}, origins = {}, partOf = {} }]) => [
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
    ...Object.entries(partOf).map(([column, to]): Reference => ({
      table,
      column,
      to: to!,
      kind: 'part',
    })),
  ])

/** SQL that is true for live rows of a table. */
export const isLive = (table: TableName, alias: string = table) =>
  sql.raw<boolean>(storedTables().get(table)?.marked ? `${alias}.time_deleted is null` : 'true')

/** Dangling references between two tables: an example of the referring rows, and their number. */
export interface Dangling {
  table: TableName
  column: string
  to: TableName
  rows: number
  example: string
}

/** Checks all references of live rows. For tests, and for an operator who suspects lost data. */
export async function findDangling(db: Db): Promise<Dangling[]> {
  const found: Dangling[] = []
  for (const { table, column, to, kind } of references()) {
    // Rows that are part of something deleted are removed later.
    if (kind === 'part') continue
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

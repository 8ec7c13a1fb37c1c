/**
 * The rows that a deletion concerns: the resource, everything inside of it, and the rows that refer
 * to it. They are read before the deletion and again after it; the difference is what restoring
 * puts back. So no kind lists the parts of its resources, and a new reference is not forgotten.
 */
import { type KindName, kindTable, type RestorableKind } from '@steading/api/rules'
import { sql } from 'kysely'
import { type AnyRow, anyTable } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { isLive, references } from '../../../kernel/db/references.ts'
import { type TableName, tablesAbout } from '../../../kernel/db/tables.ts'
import { parentColumn, storedKind, storedKinds } from '../../../kernel/kinds.ts'
import { inChunks } from '../deletion/deletable-rows.ts'

export interface Captured {
  table: TableName
  row: AnyRow
}

/** A row that a deletion changed: gone, or with new values in some columns. */
export interface Difference extends Captured {
  changed: Record<string, unknown> | null
}

/** Columns that say nothing about the desired state of a row. */
export const incidental: ReadonlySet<string> = new Set([
  'time_modified',
  'time_run_state_updated',
  'generation',
  'reconcile_at',
  'lease_until',
  'fence',
  'step_failures',
  'step_failure',
  'time_step_failed',
])

/** Rows after which other work gets a turn. */
const PIECE = 50

const rowsBy = (db: Db, table: TableName, column: string, ids: Iterable<string>) =>
  inChunks(ids, (some) =>
    db
      .selectFrom(anyTable(table).as('its'))
      .selectAll()
      .$castTo<AnyRow>()
      .where(sql.ref<string>(`its.${column}`), 'in', some)
      .where(isLive(table, 'its'))
      .execute(),
  )

/** The rows about some resources, and the rows that refer to them; containers come first. */
async function rowsAround(
  db: Db,
  kind: KindName,
  ids: readonly string[],
  seen: Set<string>,
): Promise<Captured[]> {
  const { table, restoration } = storedKind(kind)
  const found: Captured[] = []
  const add = (of: TableName, rows: readonly AnyRow[]): AnyRow[] => {
    const fresh = rows.filter((row) => {
      const key = `${of} ${row.id ?? JSON.stringify(row)}`
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    for (const row of fresh) found.push({ table: of, row })
    return fresh
  }
  for (const reference of references()) {
    if (reference.to !== table || reference.kind !== 'within') continue
    if (restoration?.untouched?.includes(reference.column)) continue
    const rows = await rowsBy(db, reference.table, reference.column, ids)
    const fresh = add(reference.table, rows)
    const inner = storedKinds().find(
      (one) =>
        kindTable[one.kind].parent === kind &&
        one.table === reference.table &&
        parentColumn(one.kind) === reference.column,
    )
    if (!inner || fresh.length === 0) continue
    const insides = fresh.map((row) => row.id)
    found.push(...(await rowsAround(db, inner.kind, insides, seen)))
  }
  for (const { table: about, column } of tablesAbout()) {
    const rows = await rowsBy(db, about, column, ids)
    add(
      about,
      rows.filter((row) => row.kind === kind),
    )
  }
  return found
}

/** Reads a resource with all rows that its deletion may concern; its own row is the first. */
export async function capture(
  db: Db,
  kind: RestorableKind,
  { id }: { id: string },
): Promise<Captured[]> {
  const { table, restoration } = storedKind(kind)
  const [row] = await rowsBy(db, table, 'id', [id])
  const seen = new Set([`${table} ${id}`])
  const around = await rowsAround(db, kind, [id], seen)
  const also = (await restoration?.also?.(db, row as never)) ?? []
  return [
    { table, row: row! },
    ...around,
    ...also.flatMap(({ table: of, rows }) => rows.map((one) => ({ table: of, row: one }))),
  ]
}

const differs = (before: AnyRow, after: AnyRow): Record<string, unknown> | undefined => {
  const columns = Object.keys(before).filter(
    (column) => !incidental.has(column) && before[column] !== after[column],
  )
  return columns.length === 0
    ? undefined
    : Object.fromEntries(columns.map((column) => [column, after[column]]))
}

/** Compares captured rows with the database: those that are gone or have changed. */
export async function differences(db: Db, captured: readonly Captured[]): Promise<Difference[]> {
  const byTable = Map.groupBy(captured, ({ table }) => table)
  const now = new Map<TableName, Map<string, AnyRow>>()
  for (const [table, some] of byTable) {
    const ids = some.flatMap(({ row }) => (row.id === undefined ? [] : [row.id]))
    const rows = await rowsBy(db, table, 'id', ids)
    now.set(table, new Map(rows.map((row) => [row.id, row])))
  }
  const found: Difference[] = []
  for (const [index, { table, row }] of captured.entries()) {
    if (index % PIECE === PIECE - 1) await yieldToEventLoop()
    const after = row.id === undefined ? await sameRow(db, table, row) : now.get(table)!.get(row.id)
    if (!after) found.push({ table, row, changed: null })
    else {
      const changed = differs(row, after)
      if (changed) found.push({ table, row, changed })
    }
  }
  return found
}

/** Finds a row without an id: all of its columns are its key. */
const sameRow = (db: Db, table: TableName, row: AnyRow): Promise<AnyRow | undefined> =>
  db
    .selectFrom(anyTable(table).as('its'))
    .selectAll()
    .$castTo<AnyRow>()
    .where((eb) =>
      eb.and(
        Object.entries(row).map(([column, value]) =>
          value === null
            ? sql<boolean>`${sql.ref(`its.${column}`)} is null`
            : sql<boolean>`${sql.ref(`its.${column}`)} = ${value}`,
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()

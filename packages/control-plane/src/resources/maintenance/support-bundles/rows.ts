/** Rows of tables as JSON, read piece by piece. */
import { sql } from 'kysely'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Database } from '../../../kernel/db/schema.ts'
import type { TableName } from '../../../kernel/db/tables.ts'

/** Rows per query. */
const PIECE = 500
/** Limit of rows of one table in a bundle. */
const ROWS_MAX = 20_000

/**
 * The rows of a table that go into a bundle. Columns are listed one by one, because a later one may
 * hold a secret.
 */
export interface Rows<T extends TableName = TableName, Column extends string = string> {
  table: T
  columns: readonly Column[]
  /** SQL of a condition. */
  where?: string
  /** Columns to sort by, together unique; the id by default. */
  order?: readonly Column[]
  /** Only the last rows, the newest first, up to this many. */
  newest?: number
}

export const rowsIn = <T extends TableName>(rows: Rows<T, keyof Database[T] & string>): Rows => rows

/** Yields the rows in batches. */
export async function* readRows(
  db: Db,
  { table, columns, where = '1 = 1', order = ['id'], newest }: Rows,
): AsyncGenerator<Record<string, unknown>[]> {
  const most = newest ?? ROWS_MAX
  const keys = order.map((column) => sql.ref(column))
  const direction = sql.raw(newest === undefined ? 'asc' : 'desc')
  const beyond = sql.raw(newest === undefined ? '>' : '<')
  const chosen = [...new Set([...columns, ...order])].map((column) => sql.ref(column))
  let last: Record<string, unknown> | undefined
  for (let read = 0; read < most;) {
    const after = last
      ? sql`and (${sql.join(keys)}) ${beyond} (${sql.join(order.map((column) => last![column]))})`
      : sql``
    const sorted = sql.join(keys.map((key) => sql`${key} ${direction}`))
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(chosen)} from ${sql.table(table)} where ${sql.raw(where)} ${after}
      order by ${sorted} limit ${Math.min(PIECE, most - read)}`.execute(db)
    if (rows.length === 0) return
    yield rows
    read += rows.length
    last = rows.at(-1)
    await yieldToEventLoop()
  }
}

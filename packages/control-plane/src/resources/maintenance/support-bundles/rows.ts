/** Rows of tables as JSON, read piece by piece. */
import { sql } from 'kysely'
import { breathe } from '../../../kernel/breathe.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Database } from '../../../kernel/db/schema.ts'
import type { TableName } from '../../../kernel/db/tables.ts'

/** Rows read at once. */
const PIECE = 500
/** Rows of one table in a bundle. */
const ROWS_MAX = 20_000

/** Which rows of a table go into a bundle. Columns are named one by one: what is added later may be a secret. */
export interface Rows<T extends TableName = TableName, Column extends string = string> {
  table: T
  columns: readonly Column[]
  /** SQL of a condition. */
  where?: string
  /** Columns that are their order, together unique; the id unless given. */
  order?: readonly Column[]
  /** The last ones first, up to so many. */
  newest?: number
}

export const rowsIn = <T extends TableName>(rows: Rows<T, keyof Database[T] & string>): Rows => rows

/** Yields the rows, some at a time. */
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
    await breathe()
  }
}

/**
 * The database inside of this process blocks the thread while it answers, so all rows of a table are
 * read in pages, and other work has its turn in between.
 */
import { type SelectQueryBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../event-loop.ts'

/** Rows in a page: reading them takes a few milliseconds, and a statement accepts as many values. */
const PAGE = 1_000

/**
 * The rows of a query in pages.
 * @param column selected text with distinct values, by which they are sorted; rows without are left
 *   out
 * @param page rows in a page; fewer where each row is much work
 */
export async function* inPages<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: keyof Row & string,
  page = PAGE,
): AsyncGenerator<Row[]> {
  const sorted = query.orderBy(sql.ref(column)).limit(page)
  for (let after = ''; ;) {
    const rows = await sorted.where(sql<boolean>`${sql.ref(column)} > ${after}`).execute()
    if (rows.length > 0) yield rows
    if (rows.length < page) return
    after = rows.at(-1)![column] as string
    await yieldToEventLoop()
  }
}

/** All rows of {@link inPages}. */
export async function allInPages<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: keyof Row & string,
): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of inPages(query, column)) all.push(...rows)
  return all
}

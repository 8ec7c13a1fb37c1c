/**
 * The database inside of this process blocks the thread while it answers, so all rows of a table are
 * read in pages, and other work has its turn in between.
 */
import { yieldToEventLoop } from '../event-loop.ts'

/** Rows of a page, which take a few milliseconds. Statements accept as many values. */
const PAGE = 1_000

/**
 * Reads rows in pages along a column with distinct values.
 * @param page reads a number of rows after a value of the column, in its order
 * @param valueOf the column
 */
export async function* inPages<Row>(
  page: (after: string, limit: number) => Promise<Row[]>,
  valueOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  for (let after = ''; ;) {
    const rows = await page(after, PAGE)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    after = valueOf(rows.at(-1)!)
    await yieldToEventLoop()
  }
}

/** All rows of {@link inPages}. */
export async function allInPages<Row>(
  page: (after: string, limit: number) => Promise<Row[]>,
  valueOf: (row: Row) => string,
): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of inPages(page, valueOf)) all.push(...rows)
  return all
}

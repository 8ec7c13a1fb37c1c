/**
 * Lists of resources with a display name, which comes from outside (not a name by the rules of the
 * API).
 */
import { LIST_COUNT_MAX } from '@steading/api/rules'
import { type SelectQueryBuilder, sql } from 'kysely'
import { yieldToEventLoop } from './event-loop.ts'
import { type Page, type ResultsPage, tokenAfter } from './paging.ts'

interface Displayed {
  id: string
  display_name: string
}

/** The sort key of display names; the indexes are on the same expression. */
const key = sql<string>`lower(its.display_name)`

/** Lower case like `lower` in both databases: only the letters of ASCII change. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * A page of the rows whose name contains a text, and the number of all of them.
 * @param rows of a table called `its`, with nothing selected
 */
export async function displayedPage<DB extends { its: object }, Row extends Displayed, Item>(
  page: Page,
  rows: SelectQueryBuilder<DB, 'its', object>,
  search: string | null | undefined,
  toWire: (rows: Row[]) => Promise<Item[]>,
): Promise<ResultsPage<Item> & { total: number | null }> {
  const pattern = `%${lower(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const found = search ? rows.where(sql<boolean>`${key} like ${pattern} escape '\\'`) : rows
  const descending = page.sortBy.endsWith('_descending')
  const direction = sql.raw(descending ? 'desc' : 'asc')
  let cut = found
    .selectAll()
    .orderBy(sql`${key} ${direction}, its.id ${direction}`)
    .limit(page.limit)
  if (page.lastSeen !== undefined) {
    const after = sql.raw(descending ? '<' : '>')
    cut = cut.where(sql<boolean>`(${key}, its.id) ${after} (${page.lastSeen}, ${page.lastId})`)
  }
  const shown = (await cut.execute()) as unknown as Row[]
  await yieldToEventLoop()
  const counted = await found
    .select(sql`1`.as('one'))
    .limit(LIST_COUNT_MAX + 1)
    .execute()
  const last = shown.at(-1)
  return {
    items: await toWire(shown),
    next_page: last
      ? tokenAfter(page, { last_seen: lower(last.display_name), last_id: last.id })
      : null,
    total: counted.length > LIST_COUNT_MAX ? null : counted.length,
  }
}

import { LIST_COUNT_MAX } from '@steading/api/rules'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../http/errors.ts'
import { type Page, type ResultsPage, tokenAfter } from '../http/paging.ts'
import type { ListResource, SortColumn } from './resources.ts'

export interface SearchedPage<View> extends ResultsPage<View> {
  total: number | null
}

type AnyList<Row, View> = ListResource<Row, View, string, string>
/** Stands for any table with the columns that all lists have. */
type Table = 'disk'
type Where = ExpressionBuilder<Database, Table>

/** What rows compare by. The texts of the indexes are the same. */
function sortKey({ column, nullable }: SortColumn): RawBuilder<string | number> {
  return nullable ? sql`coalesce(${sql.ref(column)}, '')` : sql`${sql.ref(column)}`
}

/** As `lower` of both databases does it: the letters of ASCII and no others. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
const pattern = (text: string) => `%${lower(text).replaceAll(/[\\%_]/g, '\\$&')}%`

/** The rows a list is about, in no order. */
function matching<Row, View>(
  db: Db,
  list: AnyList<Row, View>,
  parentId: string,
  query: Page['scan'],
) {
  let rows = db
    .selectFrom(list.table as Table)
    .where(list.parent as 'project_id', '=', parentId)
    .where('time_deleted', 'is', null)
  for (const [parameter, column] of Object.entries(list.filters)) {
    const words = query[parameter] as string | undefined
    if (words !== undefined) rows = rows.where(column as 'state', 'in', words.split(',') as never[])
  }
  const { search } = query as { search?: string }
  if (search) {
    const like = pattern(search)
    const contains = (column: string) =>
      sql<boolean>`lower(${sql.ref(column)}) like ${like} escape '\\'`
    rows = rows.where((eb: Where) => eb.or([contains('name'), contains('description')]))
  }
  return rows
}

/** What a token says the last row had. */
function valueOf({ kind }: SortColumn, text: string): string | number {
  if (kind === 'text') return text
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw fail.badRequest('invalid pagination marker')
  return value
}

/**
 * One page of a list, searched, filtered and sorted as the call asks.
 * @param parentId the project or silo it is about, which the caller may list
 */
export async function searchList<Row, View>(
  ctx: Context,
  list: AnyList<Row, View>,
  parentId: string,
): Promise<SearchedPage<View>> {
  const { page } = ctx
  const [, name, direction] = /^(.*)_(ascending|descending)$/.exec(page.sortBy)!
  const descending = direction === 'descending'
  const column = list.sorts[name!]!
  const key = sortKey(column)
  const found = matching(ctx.db, list, parentId, page.scan)
  let cut = found
    .select((list.select ?? [sql.raw('*')]) as never)
    .select(key.as('sorted_by'))
    .orderBy(key, descending ? 'desc' : 'asc')
    .orderBy('id', descending ? 'desc' : 'asc')
    .limit(page.limit)
  if (page.lastSeen !== undefined) {
    const after = sql`(${valueOf(column, page.lastSeen)}, ${page.lastId})`
    cut = cut.where(sql<boolean>`(${key}, id) ${sql.raw(descending ? '<' : '>')} ${after}`)
  }
  const rows = (await cut.execute()) as unknown as (Row & {
    id: string
    sorted_by: string | number
  })[]
  const last = rows.at(-1)
  const isAll = page.lastSeen === undefined && rows.length < page.limit
  return {
    items: rows.map((row) => list.view(row, ctx)),
    next_page: last
      ? tokenAfter(page, { last_seen: String(last.sorted_by), last_id: last.id })
      : null,
    total: isAll ? rows.length : await countOf(ctx.db, found),
  }
}

/** How many rows there are; null once that is more than anybody wants to count. */
async function countOf(db: Db, found: ReturnType<typeof matching>): Promise<number | null> {
  const some = found.select(sql`1`.as('one')).limit(LIST_COUNT_MAX + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > LIST_COUNT_MAX ? null : count
}

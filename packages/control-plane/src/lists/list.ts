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
/** Rows that are sorted sooner than an index is read to find them. */
const FEW = 1000

/** Stands for any table with the columns that all lists have. */
type Table = 'disk'
type Where = ExpressionBuilder<Database, Table>

const selected = <Row, View>({ select }: AnyList<Row, View>) =>
  (select ?? [sql.raw('*')]) as never[]

/** What rows compare by. The texts of the indexes are the same. */
function sortKey({ column, nullable }: SortColumn): RawBuilder<string | number> {
  return nullable ? sql`coalesce(${sql.ref(column)}, '')` : sql`${sql.ref(column)}`
}

/** As `lower` of both databases does it: the letters of ASCII and no others. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
const pattern = (text: string) => `%${lower(text).replaceAll(/[\\%_]/g, '\\$&')}%`

/** True of every row; the index of the searches is only used by those who ask for it in its words. */
const forSearch = sql<boolean>`name <> ''`

type Found = ReturnType<typeof matching>

/**
 * The rows a list is about, in no order.
 * @param along read along the index of the sort: no filter may choose another one
 */
export function matching<Row, View>(
  db: Db,
  list: AnyList<Row, View>,
  parentId: string,
  query: Page['scan'],
  along = false,
) {
  let rows = db
    .selectFrom(list.table as Table)
    .where(list.parent as 'project_id', '=', parentId)
    .where('time_deleted', 'is', null)
  for (const [parameter, column] of Object.entries(list.filters)) {
    const words = query[parameter] as string | undefined
    if (words === undefined) continue
    const value = along ? sql<string>`${sql.ref(column)} || ''` : sql.ref<string>(column)
    rows = rows.where(value, 'in', words.split(','))
  }
  const { search } = query as { search?: string }
  if (search) {
    if (!along) rows = rows.where(forSearch)
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
  const total = await countOf(ctx.db, found)
  if (total === 0) return { items: [], next_page: null, total }
  // Few are fetched and sorted. Of many a page is soon full when they are read in order.
  const few = total !== null && total <= FEW
  const source = few
    ? theseRows(ctx.db, list, found)
    : matching(ctx.db, list, parentId, page.scan, true)
  let cut = source
    .select(selected(list))
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
  return {
    items: rows.map((row) => list.view(row, ctx)),
    next_page: last
      ? tokenAfter(page, { last_seen: String(last.sorted_by), last_id: last.id })
      : null,
    total,
  }
}

/** Found rows that are known to be few, apart from the table and so from the indexes of its sorts. */
const theseRows = <Row, View>(db: Db, list: AnyList<Row, View>, found: Found): Found =>
  db
    .with(
      (cte) => cte('these').materialized(),
      (eb) =>
        eb
          .selectFrom(list.table as Table)
          .select(selected(list))
          .where('id', 'in', found.select('id')),
    )
    .selectFrom('these') as unknown as Found

/** How many rows there are; null once that is more than anybody wants to count. */
async function countOf(db: Db, found: Found): Promise<number | null> {
  const some = found.select(sql`1`.as('one')).limit(LIST_COUNT_MAX + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > LIST_COUNT_MAX ? null : count
}

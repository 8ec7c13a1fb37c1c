import { LIST_COUNT_MAX } from '@steading/api/rules'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Db } from './db/database.ts'
import type { Database } from './db/schema.ts'
import { fail } from './errors.ts'
import { parentColumn, storedKind, type StoredName } from './kinds.ts'
import { type Page, type ResultsPage, tokenAfter } from './paging.ts'
import type { Work } from './work.ts'
import type { Filter } from './search/filters.ts'
import type { AnySearch, SortColumn } from './search/search.ts'

export interface SearchedPage<View> extends ResultsPage<View> {
  total: number | null
}

/** A kind with everything that its search needs. */
interface List extends AnySearch {
  kind: StoredName
  table: keyof Database
  parent: string
  live: string
}

/** @throws Error for a kind that has no search */
export function listOf(kind: StoredName): List {
  const { table, live, search } = storedKind(kind)
  if (!search) throw new Error(`things of the kind ${kind} cannot be searched`)
  return { ...search, kind, table, live, parent: parentColumn(kind) }
}

/** Up to this many rows, sorting is faster than reading along the index of the sort. */
const FEW = 1000

/** Stands for any table with the columns that all lists have. */
type Table = 'disk'
type Where = ExpressionBuilder<Database, Table>

const selected = ({ select }: List) => (select ?? [sql.raw('*')]) as never[]

/** The expression that rows are sorted by; the indexes are on the same text. */
function sortKey({ column, nullable }: SortColumn): RawBuilder<string | number> {
  return nullable ? sql`coalesce(${sql.ref(column)}, '')` : sql`${sql.ref(column)}`
}

/** Lower case like `lower` in both databases: only the letters of ASCII change. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
const pattern = (text: string) => `%${lower(text).replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * True of every row. A query with this condition can use the index for searches, which is partial
 * on it.
 */
const forSearch = sql<boolean>`name <> ''`

/**
 * The rows of a list that match its search and filters, in no order.
 * @param along whether to read along the index of the sort, so that no filter makes the database
 *   choose another
 */
export function matching(db: Db, list: List, parentId: string, query: Page['scan'], along = false) {
  let rows = db
    .selectFrom(list.table as Table)
    .where(list.parent as 'project_id', '=', parentId)
    .where(sql.raw<boolean>(list.live))
  for (const [parameter, filter] of Object.entries<Filter>(list.filters)) {
    const words = query[parameter] as string | undefined
    if (words === undefined) continue
    const wanted = filter(words.split(','))
    rows = rows.where(along ? sql<boolean>`(${wanted}) is true` : wanted)
  }
  const { search } = query as { search?: string }
  if (search) {
    if (!along) rows = rows.where(forSearch)
    const like = pattern(search)
    const contains = (column: string) =>
      sql<boolean>`lower(${sql.ref(column)}) like ${like} escape '\\'`
    rows = rows.where((eb: Where) => eb.or(list.searched.map(contains)))
  }
  return rows
}

type Rows = ReturnType<typeof matching>

/** How a page is sorted. */
function sortOf(list: List, { sortBy }: Page) {
  const [, name, direction] = /^(.*)_(ascending|descending)$/.exec(sortBy)!
  const column = list.sorts[name!]!
  return { column, key: sortKey(column), descending: direction === 'descending' }
}

/** The sort value of the last row of a page, as its token holds it. */
function valueOf({ kind }: SortColumn, text: string): string | number {
  if (kind === 'text') return text
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw fail.badRequest('invalid pagination marker')
  return value
}

/** Cuts the requested page out of rows, and selects the sort value of each. */
function cut(rows: Rows, list: List, page: Page) {
  const { column, key, descending } = sortOf(list, page)
  const direction = descending ? 'desc' : 'asc'
  let sorted = rows
    .select(selected(list))
    .select(key.as('sorted_by'))
    .orderBy(key, direction)
    .limit(page.limit)
  if (!column.unique) sorted = sorted.orderBy('id', direction)
  if (page.lastSeen === undefined) return sorted
  const last = valueOf(column, page.lastSeen)
  const comes = sql.raw(descending ? '<' : '>')
  return sorted.where(
    column.unique
      ? sql<boolean>`${key} ${comes} ${last}`
      : sql<boolean>`(${key}, id) ${comes} (${last}, ${page.lastId})`,
  )
}

/** A page read along the index of its sort. */
export const alongIndex = (db: Db, list: List, parentId: string, page: Page) =>
  cut(matching(db, list, parentId, page.scan, true), list, page)

type Sorted = { id: string; sorted_by: string | number }

/**
 * Finds, counts and sorts in one query, because finding a few rows may mean reading all of them.
 * The rows are sorted in a materialised table, so that the database does not read along the index
 * of a sort.
 * @returns undefined if there are more than {@link FEW}
 */
async function findFew(
  db: Db,
  list: List,
  parentId: string,
  page: Page,
): Promise<{ total: number; rows: Sorted[] } | undefined> {
  const found = matching(db, list, parentId, page.scan).select('id')
  const these = db
    .selectFrom(list.table as Table)
    .select(selected(list))
    .where('id', 'in', sql<string>`(select id from found limit (select few from counted))`)
  const direction = sql.raw(sortOf(list, page).descending ? 'desc' : 'asc')
  const { rows } = await sql<Sorted & { total: number }>`
    with found as materialized ${found.limit(FEW + 1)},
      counted as materialized (
        select count(*) as total, case when count(*) <= ${FEW} then count(*) else 0 end as few
        from found
      ),
      these as materialized ${these}
    select page.*, counted.total
    from counted left join ${cut(db.selectFrom('these' as Table), list, page)} as page on 1 = 1
    order by sorted_by ${direction}, id ${direction}`.execute(db)
  const { total } = rows[0]!
  if (total > FEW) return undefined
  // If no row is found there is one row with nothing but the count.
  return { total, rows: rows.filter(({ id }) => id !== null) }
}

/** The number of rows; null above the limit up to which lists are counted. */
async function countOf(db: Db, found: Rows): Promise<number | null> {
  const some = found.select(sql`1`.as('one')).limit(LIST_COUNT_MAX + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > LIST_COUNT_MAX ? null : count
}

/** Finds a page among many matches: read in order, they soon fill it. */
async function findMany(
  db: Db,
  list: List,
  parentId: string,
  page: Page,
): Promise<{ total: number | null; rows: Sorted[] }> {
  const total = await countOf(db, matching(db, list, parentId, page.scan))
  const rows = await alongIndex(db, list, parentId, page).execute()
  return { total, rows: rows as unknown as Sorted[] }
}

/**
 * One page of the things of a kind, searched, filtered and sorted as the call asks.
 * @param parentId the project, silo or user whose things they are; the caller was authorized to
 *   list them
 */
export async function searchList<View>(
  work: Pick<Work, 'db' | 'services'> & { page: Page },
  kind: StoredName,
  parentId: string,
): Promise<SearchedPage<View>> {
  const { db, page } = work
  const list = listOf(kind)
  const { total, rows } =
    (await findFew(db, list, parentId, page)) ?? (await findMany(db, list, parentId, page))
  const last = rows.at(-1)
  return {
    items: (await list.views(rows as never[], work)) as View[],
    next_page: last
      ? tokenAfter(page, { last_seen: String(last.sorted_by), last_id: last.id })
      : null,
    total,
  }
}

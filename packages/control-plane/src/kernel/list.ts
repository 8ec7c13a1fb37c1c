import { LIST_COUNT_MAX } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { breathe } from './breathe.ts'
import type { Db, OpenDatabase } from './db/database.ts'
import type { Database } from './db/schema.ts'
import { fail } from './errors.ts'
import { parentColumn, storedKind, type StoredName } from './kinds.ts'
import { type Page, type ResultsPage, tokenAfter } from './paging.ts'
import type { Work } from './work.ts'
import type { Filter } from './search/filters.ts'
import { foundBy } from './search/handles.ts'
import type { AnySearch, SortColumn } from './search/search.ts'
import { hasTrigram, mayContain, trigramsOf } from './text-index.ts'

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

/** Comes after every name. */
const LAST = '\u{10ffff}'

/** True of rows that contain a text; one of few letters must be the beginning of the name. */
function contains(list: List, text: string): RawBuilder<boolean> {
  const wanted = lower(text)
  if (!hasTrigram(wanted)) return sql`(name >= ${wanted} and name < ${wanted + LAST})`
  const like = pattern(text)
  const columns = list.searched.map(
    (column) => sql<boolean>`lower(${sql.ref(column)}) like ${like} escape '\\'`,
  )
  return sql`(${sql.join(columns, sql` or `)})`
}

/** True of rows that a text finds by an id or an address, if it may be one. */
function isHeld(list: List, text: string, parentId: string): RawBuilder<boolean> | undefined {
  const found = foundBy(list.handles ?? [], text, parentId)
  return found.length > 0 ? sql`(${sql.join(found, sql` or `)})` : undefined
}

const searchOf = ({ scan }: Pick<Page, 'scan'>) => (scan as { search?: string }).search || undefined

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
  const search = searchOf({ scan: query })
  if (search) {
    const held = isHeld(list, search, parentId)
    const text = contains(list, search)
    const wanted = held ? sql<boolean>`(${text} or ${held})` : text
    rows = along
      ? rows.where(sql<boolean>`(${wanted}) is true`)
      : rows.where(forSearch).where(wanted)
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
type Found = { total: number | null; rows: Sorted[] }
type Reach = Pick<OpenDatabase, 'dialect' | 'findsText'>

/** Cuts the page out of rows with these ids. */
const pageOfThese = (db: Db, list: List, page: Page, ids: RawBuilder<string>) => {
  const these = db
    .selectFrom(list.table as Table)
    .select(selected(list))
    .where('id', 'in', ids)
  return {
    // Materialised, so that the database sorts them and does not read along the index of a sort.
    these: sql`these as materialized ${these}`,
    cut: cut(db.selectFrom('these' as Table), list, page),
  }
}

/** The order of a page that was cut already. */
function inOrder(list: List, page: Page): RawBuilder<unknown> {
  const direction = sql.raw(sortOf(list, page).descending ? 'desc' : 'asc')
  return sql`order by sorted_by ${direction}, id ${direction}`
}

/**
 * Finds, counts and sorts in one query, because finding a few rows may mean reading all of them.
 * @returns undefined if there are more than {@link FEW}
 */
async function findFew(db: Db, list: List, found: Rows, page: Page): Promise<Found | undefined> {
  const { these, cut: rowsOfPage } = pageOfThese(
    db,
    list,
    page,
    sql<string>`(select id from found limit (select few from counted))`,
  )
  const { rows } = await sql<Sorted & { total: number }>`
    with found as materialized ${found.select('id').limit(FEW + 1)},
      counted as materialized (
        select count(*) as total, case when count(*) <= ${FEW} then count(*) else 0 end as few
        from found
      ),
      ${these}
    select page.*, counted.total
    from counted left join ${rowsOfPage} as page on 1 = 1
    ${inOrder(list, page)}`.execute(db)
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

/**
 * How much of an index is read at a time where the database is inside of this process: some
 * milliseconds, in which everything else waits.
 */
const SLICE = { rows: 2_000, most: 16_000, rowids: 100_000, found: 4_000 }

/**
 * Reads a page along the index of its sort. Matches that are many soon fill it, but they may all be
 * at the end; so the embedded database reads slices of the index.
 */
async function readAlong(
  db: Db,
  { dialect }: Reach,
  list: List,
  parentId: string,
  page: Page,
): Promise<Sorted[]> {
  const read = async (part: Page, until?: Sorted) => {
    let rows = alongIndex(db, list, parentId, part)
    if (until) rows = rows.where(isUpTo(list, page, until))
    return (await rows.execute()) as unknown as Sorted[]
  }
  if (dialect !== 'sqlite') return read(page)
  const rows: Sorted[] = []
  const everything = db
    .selectFrom(list.table as Table)
    .where(list.parent as 'project_id', '=', parentId)
    .where(sql.raw<boolean>(list.live))
  let from = page
  for (let slice = SLICE.rows; ; slice = Math.min(2 * slice, SLICE.most)) {
    const [end] = (await cut(everything, list, { ...from, limit: 1 })
      .clearSelect()
      .select('id')
      .select(sortOf(list, page).key.as('sorted_by'))
      .offset(slice)
      .execute()) as unknown as Sorted[]
    rows.push(...(await read({ ...from, limit: page.limit - rows.length }, end)))
    if (!end || rows.length >= page.limit) return rows
    from = { ...from, lastSeen: String(end.sorted_by), lastId: end.id }
    await breathe()
  }
}

/** True of rows that do not come after another one. */
function isUpTo(list: List, page: Page, { sorted_by, id }: Sorted): RawBuilder<boolean> {
  const { column, key, descending } = sortOf(list, page)
  const before = sql.raw(descending ? '>=' : '<=')
  return column.unique
    ? sql`${key} ${before} ${sorted_by}`
    : sql`(${key}, id) ${before} (${sorted_by}, ${id})`
}

/**
 * Finds the rows with a text by the index of trigrams of SQLite, in slices of the table. The trigrams
 * say which rows may have the text; the search of the list decides.
 * @returns the ids, unless there are too many, and how many there are
 */
async function findText(
  db: Db,
  list: List,
  parentId: string,
  page: Page,
): Promise<{ total: number | null; ids: string[] }> {
  const trigrams = trigramsOf(lower(searchOf(page)!))
  const index = sql.table(`${list.table}_text`)
  const ids: string[] = []
  let total = 0
  const { rows: bounds } = await sql<{ first: number; last: number }>`
    select coalesce((select min(rowid) from ${sql.table(list.table)}), 1) as first,
      coalesce((select max(rowid) from ${sql.table(list.table)}), 0) as last`.execute(db)
  const { first, last } = bounds[0]!
  for (let from = first; from <= last;) {
    const to = from + SLICE.rowids
    const found = matching(db, list, parentId, page.scan, true)
      .where(sql<boolean>`rowid in (select seen from candidates)`)
      .select('id')
    const { rows } = await sql<{ found: string; seen: number | null; count: number }>`
      with candidates as materialized (
        select rowid as seen from ${index}
        where ${index} match ${trigrams} and rowid >= ${from} and rowid < ${to}
        order by rowid limit ${SLICE.found}
      ),
      counted as materialized (select max(seen) as seen, count(*) as count from candidates)
      select (select json_group_array(id) from ${found}) as found, seen, count
      from counted`.execute(db)
    const { found: json, seen, count } = rows[0]!
    const more = JSON.parse(json) as string[]
    total += more.length
    if (total > LIST_COUNT_MAX) return { total: null, ids }
    if (total <= FEW) ids.push(...more)
    from = count < SLICE.found ? to : seen! + 1
    if (from <= last) await breathe()
  }
  return { total, ids }
}

/** The ids of rows that match by an id or an address, and not by their texts. */
async function findHeld(db: Db, list: List, parentId: string, page: Page): Promise<string[]> {
  const search = searchOf(page)!
  const held = isHeld(list, search, parentId)
  if (!held) return []
  const rows = await matching(db, list, parentId, page.scan, true)
    .where(sql<boolean>`${held} and not ${contains(list, search)}`)
    .select('id')
    .limit(FEW)
    .execute()
  return rows.map(({ id }) => id)
}

/** On PostgreSQL, true of the rows that may match, each way to match read from its own index. */
function isCandidate(list: List, search: string, parentId: string): RawBuilder<boolean> {
  const text = mayContain(list, pattern(search))
  const held = isHeld(list, search, parentId)
  if (!held) return text
  const table = sql.table(list.table)
  return sql`id in (
    select id from ${table} where ${text} union all select id from ${table} where ${held})`
}

/** Finds a page of the rows that match. */
async function find(
  db: Db,
  database: Reach,
  list: List,
  parentId: string,
  page: Page,
): Promise<Found> {
  const search = searchOf(page)
  const byText = search !== undefined && database.findsText && hasTrigram(search)
  if (byText && database.dialect === 'sqlite') {
    const texts = await findText(db, list, parentId, page)
    const held = await findHeld(db, list, parentId, page)
    const ids = [...texts.ids, ...held]
    const total = texts.total === null ? null : texts.total + held.length
    if (total !== null && total <= FEW) {
      const json = sql<string>`(select value from json_each(${JSON.stringify(ids)}))`
      const { these, cut: rows } = pageOfThese(db, list, page, json)
      const sorted = await sql<Sorted>`with ${these} select page.* from ${rows} as page
        ${inOrder(list, page)}`.execute(db)
      return { total, rows: sorted.rows }
    }
    return { total, rows: await readAlong(db, database, list, parentId, page) }
  }
  const plain = matching(db, list, parentId, page.scan)
  const found = byText ? plain.where(isCandidate(list, search, parentId)) : plain
  return (
    (await findFew(db, list, found, page)) ?? {
      total: await countOf(db, found),
      rows: await readAlong(db, database, list, parentId, page),
    }
  )
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
  const { db, page, services } = work
  const list = listOf(kind)
  const { total, rows } = await find(db, services.database, list, parentId, page)
  const last = rows.at(-1)
  return {
    items: (await list.views(rows as never[], work)) as View[],
    next_page: last
      ? tokenAfter(page, { last_seen: String(last.sorted_by), last_id: last.id })
      : null,
    total,
  }
}

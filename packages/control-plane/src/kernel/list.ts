import { LIST_COUNT_MAX, type ListedKind } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { type RawBuilder, sql } from 'kysely'
import type { Db, OpenDatabase } from './db/database.ts'
import { yieldToEventLoop } from './event-loop.ts'
import { fail } from './errors.ts'
import type { StoredName } from './kinds.ts'
import { countBy } from './lists/counts.ts'
import {
  groupOf,
  groupValueOf,
  type GroupValue,
  inGroupOrder,
  isInLaterGroup,
  valuesInList,
} from './lists/groups.ts'
import {
  countOf,
  everything,
  filtersOf,
  isHeld,
  type List,
  listOf,
  matching,
  matchingByText,
  type Rows,
  type Table,
  textOf,
} from './lists/matching.ts'
import {
  isAfter,
  type Order,
  type IndexPosition,
  countOfOnlyTag,
  slicesAlong,
  slicesOf,
} from './lists/slices.ts'
import { type Page, type ResultsPage, tokenAfter } from './paging.ts'
import type { SortColumn } from './search/search.ts'
import { TAG_GROUPS } from './tags/filter.ts'
import { tagsById } from './tags/tags.ts'
import { hasTrigram } from './trigram-index.ts'
import type { Work } from './work.ts'

export interface SearchedPage<Item> extends ResultsPage<Item> {
  total: number | null
  counts?: Wire.WordCount[]
  groups?: Wire.TagGroup[]
  tags?: Record<string, string[]>
}

/** Up to this many rows, sorting is faster than reading along the index of the sort. */
const FEW = 1000
/** Up to this many tagged rows, looking each up is faster than reading along the index. */
const FEW_LOOKED_UP = 2_000
/** Slices of the index in which a page of many tagged rows usually is. */
const SLICES_TRIED = 3
/** The same for rows that are already known, of which each slice contributes a page. */
const FEW_SORTED = 5_000

/** The same rows with the columns that the answers need. */
const selecting = (rows: Rows, { select = [] }: List) =>
  rows
    .$if(select.length === 0, (all) => all.selectAll())
    .$if(select.length > 0, (some) =>
      some.select(select.map((column) => sql.ref(column).as(column))),
    )
    .$castTo<{ id: string }>()

/** The sort expression; the indexes are on the same text. */
function sortKey({ column, nullable }: SortColumn): RawBuilder<string | number> {
  return nullable ? sql`coalesce(${sql.ref(column)}, '')` : sql`${sql.ref(column)}`
}

/** The sort order of a page. */
function orderOf(list: List, { sortBy }: Page): Order & Pick<SortColumn, 'kind'> {
  const [, name, direction] = /^(.*)_(ascending|descending)$/.exec(sortBy)!
  const column = list.sorts[name!]!
  const { kind, unique } = column
  return { key: sortKey(column), descending: direction === 'descending', kind, unique }
}

/** The position where the previous page ended; undefined for the first page. */
function startOf(list: List, page: Page): IndexPosition | undefined {
  const { lastSeen, lastId = '' } = page
  if (lastSeen === undefined) return undefined
  const key = orderOf(list, page).kind === 'text' ? lastSeen : Number(lastSeen)
  if (typeof key === 'number' && !Number.isSafeInteger(key)) {
    throw fail.badRequest('invalid pagination marker')
  }
  return { key, id: lastId }
}

/** Cuts the requested page out of rows, and selects the sort value of each. */
function cut(rows: Rows, list: List, page: Page) {
  const order = orderOf(list, page)
  const direction = order.descending ? 'desc' : 'asc'
  let sorted = selecting(rows, list)
    .select(order.key.as('sorted_by'))
    .orderBy(order.key, direction)
    .limit(page.limit)
  if (!order.unique) sorted = sorted.orderBy('id', direction)
  const start = startOf(list, page)
  return start ? sorted.where(isAfter(order, start)) : sorted
}

/** A page read along the index of its sort. */
export const alongIndex = (
  db: Db,
  list: List,
  parentId: string,
  page: Page,
  along: 'sort' | 'slices' = 'sort',
) => cut(matching(db, list, parentId, page.scan, along), list, page)

type Sorted = { id: string; sorted_by: string | number }
type Found = { total: number | null; rows: Sorted[] }
type Reach = Pick<OpenDatabase, 'dialect' | 'findsText'>

/** Cuts the page out of rows with these ids. */
const pageOfThese = (db: Db, list: List, page: Page, ids: RawBuilder<string>) => {
  const these = selecting(db.selectFrom(list.table as Table), list).where('id', 'in', ids)
  return {
    // Materialised, so that the database sorts them instead of reading along the index of a sort.
    these: sql`these as materialized ${these}`,
    cut: cut(db.selectFrom('these' as Table), list, page),
  }
}

/** The order of a page that was already cut. */
function inOrder(list: List, page: Page): RawBuilder<unknown> {
  const direction = sql.raw(orderOf(list, page).descending ? 'desc' : 'asc')
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

/**
 * Reads a page along the index of its sort. Many matches soon fill it, but they may all be at the
 * end; so the embedded database reads the index in slices.
 *
 * @param most slices after which it gives up
 * @returns undefined if it gave up
 */
async function readAlong(
  db: Db,
  { dialect }: Reach,
  list: List,
  parentId: string,
  page: Page,
  most = Infinity,
): Promise<Sorted[] | undefined> {
  const read = async (part: Page, within?: RawBuilder<boolean>) => {
    const rows = within
      ? alongIndex(db, list, parentId, part, 'slices').where(within)
      : alongIndex(db, list, parentId, part)
    return (await rows.execute()) as unknown as Sorted[]
  }
  if (dialect !== 'sqlite') return read(page)
  const rows: Sorted[] = []
  const all = everything(db, list, parentId)
  const start = { ...page, lastSeen: undefined }
  let slices = 0
  for await (const slice of slicesAlong(all, orderOf(list, page), { from: startOf(list, page) })) {
    if (slices++ >= most) return undefined
    rows.push(...(await read({ ...start, limit: page.limit - rows.length }, slice)))
    if (rows.length >= page.limit) break
  }
  return rows
}

/** Whether the matching rows can be read along one index, so that finding them is cheap. */
function isSimple(list: List, parentId: string, query: Page['scan']): boolean {
  const text = textOf(query)
  const filters = filtersOf(list, query)
  if (filters.some(({ filter }) => filter.elsewhere ?? filter.scattered)) return false
  if (text === undefined) return filters.length <= 1
  return filters.length === 0 && !hasTrigram(text) && !isHeld(list, text, parentId)
}

/** Finds and counts in slices, for when few of many rows may match. */
async function findInSlices(
  db: Db,
  { findsText }: Reach,
  list: List,
  parentId: string,
  page: Page,
  most = LIST_COUNT_MAX,
): Promise<{ total: number | null; ids: string[] }> {
  const ids: string[] = []
  const { key, ...order } = orderOf(list, page)
  const start = startOf(list, page)
  const after = start ? isAfter({ ...order, key: sql`sorted_by` }, start) : sql<boolean>`1 = 1`
  const direction = sql.raw(order.descending ? 'desc' : 'asc')
  let total = 0
  for await (const slice of slicesOf(db, findsText, list, parentId, page.scan)) {
    const found = matching(db, list, parentId, page.scan, 'slices')
      .where(slice)
      .select(['id', key.as('sorted_by')])
    // The page consists of rows of the pages of the slices.
    const { rows } = await sql<{ some: string; count: number }>`
      with found as materialized ${found}
      select (select json_group_array(id) from (
          select id from found where ${after}
          order by sorted_by ${direction}, id ${direction} limit ${page.limit})) as some,
        (select count(*) from found) as count`.execute(db)
    const { some, count } = rows[0]!
    total += count
    if (total > most) return { total: null, ids }
    ids.push(...(JSON.parse(some) as string[]))
  }
  return { total, ids }
}

/** The page of rows with these ids, on SQLite. */
async function sortedPage(db: Db, list: List, page: Page, ids: string[]): Promise<Sorted[]> {
  const json = sql<string>`(select value from json_each(${JSON.stringify(ids)}))`
  const { these, cut: rows } = pageOfThese(db, list, page, json)
  const sorted = await sql<Sorted>`with ${these} select page.* from ${rows} as page
    ${inOrder(list, page)}`.execute(db)
  return sorted.rows
}

/** Finds a page of the matching rows. */
async function find(
  db: Db,
  database: Reach,
  list: List,
  parentId: string,
  page: Page,
): Promise<Found> {
  const along = async () => (await readAlong(db, database, list, parentId, page))!
  const tagged = await countOfOnlyTag(db, list, parentId, page.scan)
  if (tagged === null || (tagged ?? 0) > FEW_LOOKED_UP) {
    const rows = await readAlong(db, database, list, parentId, page, SLICES_TRIED)
    if (rows) return { total: tagged!, rows }
  }
  if (database.dialect === 'sqlite' && !isSimple(list, parentId, page.scan)) {
    const most = tagged === null ? Infinity : LIST_COUNT_MAX
    const { total: found, ids } = await findInSlices(db, database, list, parentId, page, most)
    const total = tagged === null ? null : found
    if (tagged === null) return { total, rows: await sortedPage(db, list, page, ids) }
    // Sorting many rows takes longer than reading along the index.
    if (total === null || ids.length > FEW_SORTED) return { total, rows: await along() }
    return { total, rows: await sortedPage(db, list, page, ids) }
  }
  const found = matchingByText(db, database.findsText, list, parentId, page.scan)
  return (
    (await findFew(db, list, found, page)) ?? {
      total: await countOf(db, found),
      rows: await along(),
    }
  )
}

interface Grouped extends Found {
  groups: Wire.TagGroup[]
  /** The group of the last row; undefined without rows. */
  lastGroup?: GroupValue
}

/** Adds rows of a group to the end of a page. */
function addGroup(page: Grouped, rows: Sorted[], value: GroupValue, count: number | null): void {
  if (rows.length === 0) return
  page.rows.push(...rows)
  page.groups.push({ value, count, items: rows.length })
  page.lastGroup = value
}

/** Sorts all matching rows, of which there are at most {@link FEW_SORTED}. */
async function sortInGroups(
  db: Db,
  database: Reach,
  list: List,
  parentId: string,
  page: Page,
): Promise<Pick<Grouped, 'rows' | 'groups'>> {
  const idsOf = async (): Promise<string[]> => {
    if (database.dialect === 'sqlite') {
      const all = { ...page, lastSeen: undefined, limit: FEW_SORTED }
      return (await findInSlices(db, database, list, parentId, all)).ids
    }
    const found = matchingByText(db, database.findsText, list, parentId, page.scan)
    return (await found.select('id').limit(FEW_SORTED).execute()).map(({ id }) => id)
  }
  // A list of ids, so that PostgreSQL looks each up instead of joining what it has not counted.
  const json = JSON.stringify(await idsOf())
  const matches =
    database.dialect === 'sqlite'
      ? sql<string>`(select value from json_each(${json}))`
      : sql<string>`(select json_array_elements_text(cast(${json} as json)))`
  const { key, ...order } = orderOf(list, page)
  const direction = sql.raw(order.descending ? 'desc' : 'asc')
  const start = startOf(list, page)
  const rest = start
    ? isInLaterGroup(page.lastGroup!, isAfter({ ...order, key: sql`sorted_by` }, start))
    : sql<boolean>`1 = 1`
  const these = selecting(db.selectFrom(list.table as Table), list)
    .select(key.as('sorted_by'))
    .select(groupValueOf(list, page.scan[TAG_GROUPS] as string).as('grouped_by'))
    .where('id', 'in', matches)
  type Row = Sorted & { grouped_by: GroupValue; count: number }
  const { rows } = await sql<Row>`
    with these as materialized ${these},
      counted as materialized (select grouped_by, count(*) as count from these group by grouped_by)
    select page.*, (
        select count from counted
        where counted.grouped_by = page.grouped_by
          or (counted.grouped_by is null and page.grouped_by is null)) as count
    from (
      select * from these where ${rest}
      order by ${inGroupOrder}, sorted_by ${direction}, id ${direction} limit ${page.limit}) as page
    order by ${inGroupOrder}, sorted_by ${direction}, id ${direction}`.execute(db)
  const sorted: Grouped = { total: null, rows: [], groups: [] }
  for (let at = 0; at < rows.length; at += sorted.groups.at(-1)!.items) {
    const { grouped_by: value, count } = rows[at]!
    const end = rows.findIndex((row, index) => index > at && row.grouped_by !== value)
    addGroup(sorted, rows.slice(at, end < 0 ? undefined : end), value, Number(count))
  }
  return sorted
}

/** Finds a page of the matching rows in the order of their groups. */
async function findGrouped(
  db: Db,
  database: Reach,
  list: List,
  parentId: string,
  page: Page,
): Promise<Grouped> {
  const { lastGroup, ...first } = { ...page, lastSeen: undefined, lastId: undefined }
  if ((page.lastSeen === undefined) !== (lastGroup === undefined)) {
    throw fail.badRequest('invalid page token')
  }
  const { total } = await find(db, database, list, parentId, { ...first, limit: 1 })
  if (total !== null && total <= FEW_SORTED) {
    return { ...(await sortInGroups(db, database, list, parentId, page)), total }
  }
  // One group after the other.
  const found: Grouped = { total, rows: [], groups: [] }
  const key = page.scan[TAG_GROUPS] as string
  const take = async (value: GroupValue) => {
    const start = value === lastGroup ? page : first
    const limit = page.limit - found.rows.length
    const group = groupOf(list, key, value)
    const { rows, total: count } = await find(db, database, group, parentId, { ...start, limit })
    addGroup(found, rows, value, count)
  }
  if (lastGroup !== null) {
    for await (const value of valuesInList(db, list, parentId, key, lastGroup ?? '')) {
      await take(value)
      if (found.rows.length >= page.limit) return found
      await yieldToEventLoop()
    }
  }
  await take(null)
  return found
}

/**
 * One page of the resources of a kind, searched, filtered and sorted as the call asks.
 * @param parentId the project, silo or user that owns the resources; the caller was authorized to
 *   list them
 */
export async function searchList<Item>(
  work: Pick<Work, 'db' | 'services' | 'actor'> & { page: Page },
  kind: StoredName,
  parentId: string,
): Promise<SearchedPage<Item>> {
  const { db, services } = work
  const { count_by, ...scan } = work.page.scan
  const page = { ...work.page, scan }
  const list = listOf(kind)
  const found: Found & Partial<Grouped> =
    scan[TAG_GROUPS] === undefined
      ? await find(db, services.database, list, parentId, page)
      : await findGrouped(db, services.database, list, parentId, page)
  const { total, rows, groups, lastGroup } = found
  const last = rows.at(-1)
  const ids = rows.map(({ id }) => id)
  const counts =
    count_by === undefined
      ? undefined
      : await countBy(db, services.database, list, parentId, scan, count_by as string)
  return {
    items: (await list.toWire(rows, work)) as Item[],
    next_page: last
      ? tokenAfter(page, {
          last_seen: String(last.sorted_by),
          last_id: last.id,
          ...(groups ? { last_group: lastGroup! } : {}),
        })
      : null,
    total,
    ...(counts ? { counts } : {}),
    ...(groups ? { groups } : {}),
    ...(scan.with === 'tags' ? { tags: await tagsById(db, kind as ListedKind, ids) } : {}),
  }
}

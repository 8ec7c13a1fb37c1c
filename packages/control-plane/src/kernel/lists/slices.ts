/**
 * The database inside of this process blocks the thread while it answers. So long lists are read in
 * slices of a few milliseconds each, and other calls have their turn in between.
 */
import { LIST_COUNT_MAX } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Db } from '../db/database.ts'
import type { Filter } from '../search/filters.ts'
import { hasTrigram, trigramsOf } from '../trigram-index.ts'
import {
  begins,
  contains,
  countOf,
  everything,
  filtersOf,
  forSearch,
  isHeld,
  isHeldByMany,
  type List,
  type ListQuery,
  type Rows,
  textOf,
} from './matching.ts'

/** The order of an index: by a key, and among rows with the same key by their ids. */
export interface Order {
  key: RawBuilder<string | number>
  descending?: boolean
  /** No two rows have the same key. */
  unique?: boolean
}

/** A position in an order. */
export interface IndexPosition {
  key: string | number
  id: string
}

/** True of rows after a position. */
export function isAfter(
  { key, unique, descending }: Order,
  position: IndexPosition,
): RawBuilder<boolean> {
  const comes = sql.raw(descending ? '<' : '>')
  return unique
    ? sql`${key} ${comes} ${position.key}`
    : sql`(${key}, id) ${comes} (${position.key}, ${position.id})`
}

/** True of rows up to and including a position. */
function isUpTo({ key, unique, descending }: Order, position: IndexPosition): RawBuilder<boolean> {
  const comes = sql.raw(descending ? '>=' : '<=')
  return unique
    ? sql`${key} ${comes} ${position.key}`
    : sql`(${key}, id) ${comes} (${position.key}, ${position.id})`
}

/** A condition that is true of the rows of a slice. */
type Slice = RawBuilder<boolean>

/**
 * Rows of an index in the first slice; each slice is twice as large as the one before, up to a
 * limit.
 */
const FIRST = 2_000
/** Limit where the index has all that is needed. */
const MOST_INDEXED = 16_000
/** Limit where each row has to be looked up. */
const MOST_LOOKED_UP = 4_000

interface Extent {
  /** The position to begin after. */
  from?: IndexPosition
  /** The part of the index to read. */
  within?: RawBuilder<boolean>
  /** Most rows in a slice. */
  most?: number
}

/** Splits the rows of a list along an index. */
export async function* slicesAlong(
  rows: Rows,
  order: Order,
  { from, within, most = MOST_INDEXED }: Extent = {},
): AsyncGenerator<Slice> {
  const direction = order.descending ? 'desc' : 'asc'
  let sorted = rows.select('id').select(order.key.as('key')).orderBy(order.key, direction)
  if (!order.unique) sorted = sorted.orderBy('id', direction)
  if (within) sorted = sorted.where(within)
  let last = from
  for (let size = FIRST; ; size = Math.min(2 * size, most)) {
    const rest = last ? sorted.where(isAfter(order, last)) : sorted
    const end = (await rest.offset(size).limit(1).executeTakeFirst()) as IndexPosition | undefined
    const conditions = [within, last && isAfter(order, last), end && isUpTo(order, end)]
    const given = conditions.filter((condition) => condition !== undefined)
    yield given.length > 0 ? sql`(${sql.join(given, sql` and `)})` : sql`1 = 1`
    if (!end) return
    last = end
    await yieldToEventLoop()
  }
}

const byName = { key: sql<string>`name`, unique: true }

/** Trigram index: rowids per query, and the matches in the first and in the largest slice. */
const TEXT = { rowids: 100_000, first: 500, most: 4_000 }

/** Scan all rows if more than one in 4 may match; otherwise look each up. */
const DENSE = 4

/**
 * Slices the rows that have all trigrams of a text. The search itself checks for the text.
 * @returns the rowid up to which rows were sliced, if so many have the trigrams that scanning the
 *   rest is faster
 */
async function* slicesByText(
  db: Db,
  list: List,
  text: string,
): AsyncGenerator<Slice, number | undefined> {
  const index = sql.table(`${list.table}_text`)
  const { rows: bounds } = await sql<{ first: number; last: number }>`
    select coalesce((select min(rowid) from ${sql.table(list.table)}), 1) as first,
      coalesce((select max(rowid) from ${sql.table(list.table)}), 0) as last`.execute(db)
  const { first, last } = bounds[0]!
  let all = 0
  for (let from = first, size = TEXT.first; from <= last; size = Math.min(2 * size, TEXT.most)) {
    const to = from + TEXT.rowids
    const { rows } = await sql<{ found: string; count: number; seen: number }>`
      select json_group_array(found) as found, count(*) as count, max(found) as seen from (
        select rowid as found from ${index}
        where ${index} match ${trigramsOf(text)} and rowid >= ${from} and rowid < ${to}
        order by rowid limit ${size})`.execute(db)
    const { found, count, seen } = rows[0]!
    if (count > 0) yield sql<boolean>`rowid in (select value from json_each(${found}))`
    all += count
    if (count === size && all * DENSE > seen - first) return seen
    from = count < size ? to : seen + 1
    if (from <= last) await yieldToEventLoop()
  }
  return undefined
}

/** The number of rows of another table; null above the limit up to which lists are counted. */
async function countElsewhere(db: Db, ids: RawBuilder<unknown>): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${ids} limit ${LIST_COUNT_MAX + 1}) as counted`.execute(db)
  return rows[0]!.count > LIST_COUNT_MAX ? null : rows[0]!.count
}

/** Slices the rows of a list by the ids in another table, along the index of that table. */
async function* slicesElsewhere(
  db: Db,
  ids: RawBuilder<{ id: string; value: string }>,
): AsyncGenerator<Slice> {
  let rest = sql`1 = 1`
  for (;;) {
    const { rows } = await sql<{ id: string; value: string }>`
      select id, value from (${ids}) as found where ${rest}
      order by value, id limit ${FIRST}`.execute(db)
    const last = rows.at(-1)
    if (!last) return
    const some = JSON.stringify(rows.map(({ id }) => id))
    yield sql<boolean>`id in (select value from json_each(${some}))`
    if (rows.length < FIRST) return
    rest = sql`(value, id) > (${last.value}, ${last.id})`
    await yieldToEventLoop()
  }
}

/** The only filter of a search for nothing but a tag. */
function onlyTagOf(list: List, query: ListQuery) {
  const [filter, ...others] = filtersOf(list, query)
  if (!filter || others.length > 0 || textOf(query) !== undefined) return undefined
  const { elsewhere } = filter.filter
  return elsewhere && { elsewhere, words: filter.words }
}

/**
 * The number of rows that a search for nothing but a tag finds; null above the limit up to which
 * lists are counted, undefined for other searches.
 */
export async function countOfOnlyTag(
  db: Db,
  list: List,
  parentId: string,
  query: ListQuery,
): Promise<number | null | undefined> {
  const only = onlyTagOf(list, query)
  return only && countElsewhere(db, only.elsewhere.ids(only.words, parentId))
}

/** The filter with the fewest rows, if these are few. */
async function narrowest(db: Db, list: List, parentId: string, query: ListQuery) {
  let least = LIST_COUNT_MAX + 1
  let found: { filter: Filter; words: string[] } | undefined
  for (const { filter, words } of filtersOf(list, query)) {
    const { wants, elsewhere, scattered } = filter
    if (scattered) continue
    const count = elsewhere
      ? await countElsewhere(db, elsewhere.ids(words, parentId))
      : await countOf(db, everything(db, list, parentId).where(wants(words, parentId)))
    if (count === null || count >= least) continue
    least = count
    found = { filter, words }
  }
  return found
}

/**
 * Slices the rows of a list along the index that leads to the matches soonest.
 * @param findsText whether the database has trigram indexes
 * @returns a condition for the rows of each slice; not all of them match, but each match is in
 *   one slice
 */
export async function* slicesOf(
  db: Db,
  findsText: boolean,
  list: List,
  parentId: string,
  query: ListQuery,
): AsyncGenerator<Slice> {
  const rows = everything(db, list, parentId)
  const only = onlyTagOf(list, query)
  if (only) {
    yield* slicesElsewhere(db, only.elsewhere.ids(only.words, parentId))
    return
  }
  const narrow = await narrowest(db, list, parentId, query)
  if (narrow) {
    const { wants, key, elsewhere } = narrow.filter
    if (elsewhere) {
      yield* slicesElsewhere(db, elsewhere.ids(narrow.words, parentId))
      return
    }
    yield* slicesAlong(
      rows,
      { key },
      { within: wants(narrow.words, parentId), most: MOST_LOOKED_UP },
    )
    return
  }
  const text = textOf(query)
  if (text === undefined) {
    const isLookedUp = filtersOf(list, query).some(({ filter }) => filter.scattered)
    const most = isLookedUp ? MOST_LOOKED_UP : MOST_INDEXED
    yield* slicesAlong(rows, byName, { within: forSearch, most })
    return
  }
  if (await isHeldByMany(db, list, text, parentId)) {
    yield* slicesAlong(rows, byName, { within: forSearch, most: MOST_LOOKED_UP })
    return
  }
  const held = isHeld(list, text, parentId)
  const otherwise = held && sql<boolean>`${held} and not ${contains(list, text)}`
  if (!hasTrigram(text)) {
    yield* slicesAlong(rows, byName, { within: sql`(${forSearch} and ${begins(text)})` })
    if (otherwise) yield otherwise
    return
  }
  const seen = findsText ? yield* slicesByText(db, list, text) : -1
  if (otherwise && findsText) {
    yield seen === undefined ? otherwise : sql`(+rowid <= ${seen} and ${otherwise})`
  }
  if (seen === undefined) return
  // The unary plus keeps the database from reading along the rowids.
  yield* slicesAlong(rows, byName, { within: sql`(${forSearch} and +rowid > ${seen})` })
}

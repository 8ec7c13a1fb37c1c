/**
 * The database inside of this process answers without yielding. So it is asked for long lists slice by
 * slice, each of which takes a few milliseconds, and other calls have their turn in between.
 */
import { LIST_COUNT_MAX } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { breathe } from '../breathe.ts'
import type { Db } from '../db/database.ts'
import { hasTrigram, trigramsOf } from '../text-index.ts'
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

/** A place in an order. */
export interface Place {
  key: string | number
  id: string
}

/** True of rows that come after a place. */
export function isAfter({ key, unique, descending }: Order, place: Place): RawBuilder<boolean> {
  const comes = sql.raw(descending ? '<' : '>')
  return unique
    ? sql`${key} ${comes} ${place.key}`
    : sql`(${key}, id) ${comes} (${place.key}, ${place.id})`
}

/** True of rows that do not come after a place. */
function isUpTo({ key, unique, descending }: Order, place: Place): RawBuilder<boolean> {
  const comes = sql.raw(descending ? '>=' : '<=')
  return unique
    ? sql`${key} ${comes} ${place.key}`
    : sql`(${key}, id) ${comes} (${place.key}, ${place.id})`
}

/** A condition that is true of the rows of a slice. */
type Slice = RawBuilder<boolean>

/** Rows of an index in the first slice; each slice is twice the one before, up to the most. */
const FIRST = 2_000
/** Where all that is needed is in the index. */
const MOST_INDEXED = 16_000
/** Where each row has to be looked up. */
const MOST_LOOKED_UP = 4_000

interface Extent {
  /** Where to begin. */
  from?: Place
  /** Which part of the index is read. */
  within?: RawBuilder<boolean>
  /** Rows of a slice. */
  most?: number
}

/** Parts the rows of a list along an index. */
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
    const end = (await rest.offset(size).limit(1).executeTakeFirst()) as Place | undefined
    const conditions = [within, last && isAfter(order, last), end && isUpTo(order, end)]
    const given = conditions.filter((condition) => condition !== undefined)
    yield given.length > 0 ? sql`(${sql.join(given, sql` and `)})` : sql`1 = 1`
    if (!end) return
    last = end
    await breathe()
  }
}

const byName = { key: sql<string>`name`, unique: true }

/** Of the index of texts: how many rows it is asked about at a time, and how many it may find. */
const TEXT = { rowids: 100_000, first: 500, most: 4_000 }

/** Where one row of so many may have a text, reading them all is faster than looking each up. */
const DENSE = 4

/**
 * Parts the rows that have all trigrams of a text. Whether they have the text is for the search to
 * decide.
 * @returns the rowid up to which rows were parted, if so many have the trigrams that the rest is found
 *   sooner by reading all rows
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
    if (from <= last) await breathe()
  }
  return undefined
}

/** The filter with the fewest rows, if these are few. */
async function narrowest(db: Db, list: List, parentId: string, query: ListQuery) {
  let least = LIST_COUNT_MAX + 1
  let found: { name: string; words: string[] } | undefined
  for (const [name, words] of filtersOf(list, query)) {
    const rows = everything(db, list, parentId).where(list.filters[name]!.wants(words))
    const count = await countOf(db, rows)
    if (count === null || count >= least) continue
    least = count
    found = { name, words }
  }
  return found
}

/**
 * Parts the rows of a list along the index that leads to the matching ones soonest.
 * @param findsText whether the database has indexes of texts
 * @returns conditions that are true of the rows of a slice each; not all of them match, but each that
 *   does is in one slice
 */
export async function* slicesOf(
  db: Db,
  findsText: boolean,
  list: List,
  parentId: string,
  query: ListQuery,
): AsyncGenerator<Slice> {
  const rows = everything(db, list, parentId)
  const narrow = await narrowest(db, list, parentId, query)
  if (narrow) {
    const { wants, key } = list.filters[narrow.name]!
    yield* slicesAlong(rows, { key }, { within: wants(narrow.words), most: MOST_LOOKED_UP })
    return
  }
  const text = textOf(query)
  if (text === undefined) {
    yield* slicesAlong(rows, byName, { within: forSearch })
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
  // The sign keeps the database from reading along the rowids.
  yield* slicesAlong(rows, byName, { within: sql`(${forSearch} and +rowid > ${seen})` })
}

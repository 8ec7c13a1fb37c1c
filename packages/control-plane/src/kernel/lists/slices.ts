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
export const MOST_LOOKED_UP = 4_000

interface Extent {
  /** Where to begin. */
  from?: Place
  /** Which part of the index is read. */
  within?: RawBuilder<boolean>
  /** Rows of a slice. */
  most?: number
  /** Rows after which it is enough. */
  enough?: number
}

/**
 * Parts the rows of a list along an index.
 * @returns the last row, if there are more
 */
export async function* slicesAlong(
  rows: Rows,
  order: Order,
  { from, within, most = MOST_INDEXED, enough = Infinity }: Extent = {},
): AsyncGenerator<Slice, Place | undefined> {
  const direction = order.descending ? 'desc' : 'asc'
  let sorted = rows.select('id').select(order.key.as('key')).orderBy(order.key, direction)
  if (!order.unique) sorted = sorted.orderBy('id', direction)
  if (within) sorted = sorted.where(within)
  let last = from
  let seen = 0
  for (let size = FIRST; ; size = Math.min(2 * size, most)) {
    const rest = last ? sorted.where(isAfter(order, last)) : sorted
    const end = (await rest.offset(size).limit(1).executeTakeFirst()) as Place | undefined
    const conditions = [within, last && isAfter(order, last), end && isUpTo(order, end)]
    const given = conditions.filter((condition) => condition !== undefined)
    yield given.length > 0 ? sql`(${sql.join(given, sql` and `)})` : sql`1 = 1`
    seen += size
    if (!end || seen >= enough) return end
    last = end
    await breathe()
  }
}

const byName = { key: sql<string>`name`, unique: true }

/** Rows at the beginning of a list that are looked at before the index of texts is used. */
const SAMPLE = 200

/** Whether a text is in most rows, so that reading the list finds as many as are counted soonest. */
async function isCommon(db: Db, list: List, rows: Rows, text: string): Promise<boolean> {
  const sample = rows
    .where(forSearch)
    .select(sql<number>`case when ${contains(list, text)} then 1 else 0 end`.as('found'))
    .orderBy('name')
    .limit(SAMPLE)
  const { count } = await db
    .selectFrom(sample.as('sample'))
    .select((eb) => eb.fn.sum<number | null>('found').as('count'))
    .executeTakeFirstOrThrow()
  return (count ?? 0) > SAMPLE / 2
}

/** Of the index of texts: how many rows it is asked about at a time, and how many it may find. */
const TEXT = { rowids: 100_000, found: 4_000 }

/**
 * Parts the rows that have all trigrams of a text. Whether they have the text is for the search to
 * decide.
 */
async function* slicesByText(db: Db, list: List, text: string): AsyncGenerator<Slice> {
  const index = sql.table(`${list.table}_text`)
  const { rows: bounds } = await sql<{ first: number; last: number }>`
    select coalesce((select min(rowid) from ${sql.table(list.table)}), 1) as first,
      coalesce((select max(rowid) from ${sql.table(list.table)}), 0) as last`.execute(db)
  const { first, last } = bounds[0]!
  for (let from = first; from <= last;) {
    const to = from + TEXT.rowids
    const { rows } = await sql<{ found: string; count: number; seen: number }>`
      select json_group_array(found) as found, count(*) as count, max(found) as seen from (
        select rowid as found from ${index}
        where ${index} match ${trigramsOf(text)} and rowid >= ${from} and rowid < ${to}
        order by rowid limit ${TEXT.found})`.execute(db)
    const { found, count, seen } = rows[0]!
    if (count > 0) yield sql<boolean>`rowid in (select value from json_each(${found}))`
    from = count < TEXT.found ? to : seen + 1
    if (from <= last) await breathe()
  }
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
  const held = isHeld(list, text, parentId)
  const otherwise = held && sql<boolean>`${held} and not ${contains(list, text)}`
  if (!hasTrigram(text)) {
    yield* slicesAlong(rows, byName, { within: sql`(${forSearch} and ${begins(text)})` })
    if (otherwise) yield otherwise
    return
  }
  const many = !findsText || (await isCommon(db, list, rows, text))
  const enough = findsText ? 2 * LIST_COUNT_MAX : Infinity
  const end = many ? yield* slicesAlong(rows, byName, { within: forSearch, enough }) : undefined
  if (many && !end) return
  const rest = end ? isAfter(byName, end) : sql<boolean>`1 = 1`
  for await (const slice of slicesByText(db, list, text)) yield sql`(${rest} and ${slice})`
  if (otherwise) yield sql`(${rest} and ${otherwise})`
}

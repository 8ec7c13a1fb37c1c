/** How many rows of a list there are for each word of a filter. */
import { LIST_COUNT_MAX } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Db, OpenDatabase } from '../db/database.ts'
import {
  countOf,
  everything,
  filtersOf,
  type List,
  type ListQuery,
  matching,
  matchingByText,
  type Rows,
  textOf,
} from './matching.ts'
import { MOST_LOOKED_UP, slicesAlong, slicesOf } from './slices.ts'

type Reach = Pick<OpenDatabase, 'dialect' | 'findsText'>

/** The words that rows of a list may have. */
async function wordsOf(db: Db, list: List, parentId: string, name: string): Promise<string[]> {
  const values = (column: string) => {
    const value = sql.ref(column)
    const least = (than?: boolean) => {
      const rows = everything(db, list, parentId).select(sql`min(${value})`.as('value'))
      return than ? rows.where(sql<boolean>`${value} > known.value`) : rows
    }
    return sql`
      with recursive known(value) as (
        select * from (${least()}) as first
        union all select (${least(true)}) from known where known.value is not null
      )
      select value from known where value is not null`
  }
  const { rows } = await sql<{ word: string }>`
    with words(word) as (${list.filters[name]!.words(values)})
    select word from words order by word`.execute(db)
  return rows.map(({ word }) => word)
}

type Counted = { word: string; count: number }

/** Counts rows by their words. */
async function tally(db: Db, rows: Rows, { word }: List['filters'][string]): Promise<Counted[]> {
  const words = db.selectFrom(rows.select(word.as('word')).as('rows'))
  const counted = words.select(['word', (eb) => eb.fn.countAll<number>().as('count')])
  return counted.groupBy('word').execute()
}

/**
 * Counts the rows of all words together, if the search and the other filters leave few.
 * @returns undefined if they leave more than the limit up to which lists are counted
 */
async function countTogether(
  db: Db,
  { dialect, findsText }: Reach,
  list: List,
  parentId: string,
  query: ListQuery,
  name: string,
): Promise<Counted[] | undefined> {
  const filter = list.filters[name]!
  const counts = new Map<string, number>()
  let total = 0
  const add = (counted: Counted[]) => {
    for (const { word, count } of counted) {
      counts.set(word, (counts.get(word) ?? 0) + count)
      total += count
    }
  }
  if (dialect === 'sqlite') {
    for await (const slice of slicesOf(db, findsText, list, parentId, query)) {
      add(await tally(db, matching(db, list, parentId, query, true).where(slice), filter))
      if (total > LIST_COUNT_MAX) return undefined
    }
  } else {
    const rows = matchingByText(db, findsText, list, parentId, query).limit(LIST_COUNT_MAX + 1)
    add(await tally(db, rows, filter))
    if (total > LIST_COUNT_MAX) return undefined
  }
  const words = [...counts.keys()].toSorted()
  return words.map((word) => ({ word, count: counts.get(word)! }))
}

/** Counts the rows of one word along the index of its filter. */
async function countAlong(
  db: Db,
  { dialect, findsText }: Reach,
  list: List,
  parentId: string,
  query: ListQuery,
  name: string,
  word: string,
): Promise<number | null> {
  const { wants, key } = list.filters[name]!
  if (dialect !== 'sqlite') {
    const all = { ...query, [name]: word }
    return countOf(db, matchingByText(db, findsText, list, parentId, all))
  }
  const slices = slicesAlong(
    everything(db, list, parentId),
    { key },
    { within: wants([word]), most: MOST_LOOKED_UP },
  )
  let total = 0
  for await (const slice of slices) {
    const found = matching(db, list, parentId, query, true).where(slice)
    total += (await countOf(db, found))!
    if (total > LIST_COUNT_MAX) return null
  }
  return total
}

/**
 * The words of a filter that some rows of a list have, each with the number of rows that it would
 * give with the search and the other filters of a call.
 */
export async function countBy(
  db: Db,
  database: Reach,
  list: List,
  parentId: string,
  query: ListQuery,
  name: string,
): Promise<Wire.WordCount[]> {
  const others = { ...query, [name]: undefined }
  const isNarrowed = textOf(others) !== undefined || filtersOf(list, others).length > 0
  const together = isNarrowed
    ? await countTogether(db, database, list, parentId, others, name)
    : undefined
  if (together) return together
  const counts: Wire.WordCount[] = []
  for (const word of await wordsOf(db, list, parentId, name)) {
    const count = isNarrowed
      ? await countAlong(db, database, list, parentId, others, name, word)
      : await countOf(db, matching(db, list, parentId, { [name]: word }))
    if (count !== 0) counts.push({ word, count })
  }
  return counts
}

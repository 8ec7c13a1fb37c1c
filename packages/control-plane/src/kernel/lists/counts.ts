/** Counts the rows of a list for each word of a filter. */
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
import type { Filter } from '../search/filters.ts'
import { slicesOf } from './slices.ts'

/** The words that rows of a list can have. */
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
    select word from words`.execute(db)
  return rows.map(({ word }) => word)
}

/**
 * Counts rows by their words. The rows are read first, so that the database does not read along the
 * index of the words, where they may be far apart.
 * @returns word → number of rows; null is for rows without a word
 */
async function tally(db: Db, rows: Rows, { word }: Filter): Promise<Map<string | null, number>> {
  const counted = await sql<{ word: string | null; count: number }>`
    with found as materialized ${rows.select(word.as('word'))}
    select word, count(*) as count from found group by word`.execute(db)
  return new Map(counted.rows.map(({ word, count }) => [word, count]))
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
const upToMax = (count: number) => (count > LIST_COUNT_MAX ? null : count)

/** Word → number of rows; null above the limit up to which lists are counted. */
type Counts = Map<string | null, number | null>

/** Queries the database for one word after the other. */
async function countEach(
  words: readonly string[],
  count: (word: string) => Promise<number | null>,
): Promise<Counts> {
  const counts: Counts = new Map()
  for (const word of words) counts.set(word, await count(word))
  return counts
}

/** Counts the rows of a word that few rows have. */
async function countFew(
  db: Db,
  findsText: boolean,
  list: List,
  parentId: string,
  query: ListQuery,
): Promise<number> {
  let total = 0
  for await (const slice of slicesOf(db, findsText, list, parentId, query)) {
    total += (await countOf(db, matching(db, list, parentId, query, 'slices').where(slice))) ?? 0
  }
  return total
}

/** Counts all words together, slice by slice, until the frequent ones are counted. */
async function countInSlices(
  db: Db,
  findsText: boolean,
  list: List,
  parentId: string,
  query: ListQuery,
  name: string,
): Promise<Counts> {
  const counts = new Map<string | null, number>()
  /** Words with few rows in the list; known once there are many rows to be counted. */
  let few: Counts | undefined
  let many: string[] = []
  for await (const slice of slicesOf(db, findsText, list, parentId, query)) {
    const rows = matching(db, list, parentId, query, 'slices').where(slice)
    for (const [word, count] of await tally(db, rows, list.filters[name]!)) {
      counts.set(word, (counts.get(word) ?? 0) + count)
    }
    if (!few && sum(counts.values()) > LIST_COUNT_MAX) {
      const words = await wordsOf(db, list, parentId, name)
      const inList = await countEach(words, (word) =>
        countOf(db, matching(db, list, parentId, { [name]: word })),
      )
      many = words.filter((word) => inList.get(word) === null)
      few = await countEach(
        words.filter((word) => inList.get(word) !== null),
        (word) => countFew(db, findsText, list, parentId, { ...query, [name]: word }),
      )
    }
    // The infrequent words are already counted.
    if (few && many.every((word) => counts.get(word)! > LIST_COUNT_MAX)) break
  }
  return new Map([
    ...[...counts].map(([word, count]) => [word, upToMax(count)] as const),
    ...(few ?? []),
  ])
}

/**
 * The words of a filter that occur in a list, each with the number of rows it would give together
 * with the search and the other filters of a call.
 */
export async function countBy(
  db: Db,
  { dialect, findsText }: Pick<OpenDatabase, 'dialect' | 'findsText'>,
  list: List,
  parentId: string,
  query: ListQuery,
  name: string,
): Promise<Wire.WordCount[]> {
  const others = { ...query, [name]: undefined }
  const isNarrowed = textOf(others) !== undefined || filtersOf(list, others).length > 0
  const eachAlone = async () =>
    countEach(await wordsOf(db, list, parentId, name), (word) =>
      countOf(db, matchingByText(db, findsText, list, parentId, { ...others, [name]: word })),
    )
  const all = async (): Promise<Counts> => {
    if (!isNarrowed) return eachAlone()
    if (dialect === 'sqlite') return countInSlices(db, findsText, list, parentId, others, name)
    const some = matchingByText(db, findsText, list, parentId, others).limit(LIST_COUNT_MAX + 1)
    const counts = await tally(db, some, list.filters[name]!)
    return sum(counts.values()) > LIST_COUNT_MAX ? eachAlone() : counts
  }
  const counts = await all()
  return [...counts]
    .flatMap(([word, count]) => (count === 0 || word === null ? [] : [{ word, count }]))
    .toSorted((a, b) => (a.word < b.word ? -1 : 1))
}

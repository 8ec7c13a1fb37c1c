import { type Age, ages, ageWords } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'

/** SQL of a query for all distinct values of a column in a list, read along its index. */
export type Values = (column: string) => RawBuilder<unknown>

/** A filter: selects rows by the words of a parameter, and counts rows by word. */
export interface Filter {
  /** True of rows of a list that have one of the words. */
  wants: (words: string[], parentId: string) => RawBuilder<boolean>
  /** For a filter by rows of another table. */
  elsewhere?: {
    /** The same condition, looked up for each row of the list. */
    inEach: (words: string[]) => RawBuilder<boolean>
    /** SQL of a query for the ids, and the values by which and by the ids they are sorted. */
    ids: (words: string[], parentId: string) => RawBuilder<{ id: string; value: string }>
  }
  /** No index leads to the rows: each row of the list has to be looked up. */
  scattered?: true
  /**
   * The expression that `wants` compares; there is an index on (parent, key, id) of the live rows.
   */
  key: RawBuilder<string>
  /** The word of a row. */
  word: RawBuilder<string>
  /** SQL of a query for the words that rows of the list can have, in one column. */
  words: (values: Values) => RawBuilder<unknown>
}

const list = (values: string[]) => sql.join(values)

/** The column has one of the words as its value. */
export const oneOf = (column: string): Filter => ({
  wants: (words) => sql`${sql.ref(column)} in (${list(words)})`,
  key: sql.ref(column),
  word: sql.ref(column),
  words: (values) => values(column),
})

/** All rows have the same word: their type, in lists of several types. */
export const always = (word: string): Filter => ({
  wants: (words) => (words.includes(word) ? sql`1 = 1` : sql`1 = 0`),
  key: sql.lit(word),
  word: sql.lit(word),
  words: () => sql`select ${sql.lit(word)}`,
})

/** Whether the column is null (`no`) or not (`yes`). */
export function present(column: string): Filter {
  const key = sql<string>`coalesce(${sql.ref(column)}, '')`
  return {
    wants(words) {
      const [yes, no] = [words.includes('yes'), words.includes('no')]
      if (yes && no) return sql`1 = 1`
      return sql`${key} ${sql.raw(yes ? '>' : '=')} ''`
    },
    key,
    word: sql`case when ${key} > '' then 'yes' else 'no' end`,
    words: () => sql`select 'yes' union all select 'no'`,
  }
}

/**
 * The column has the id of one of these resources, given by name or id. A missing resource matches
 * no row. Rows are counted by name.
 */
export const idsOf = (
  column: string,
  table: 'ip_pool' | 'subnet_pool' | 'switch_port_settings',
): Filter => ({
  wants(selectors) {
    const ids = selectors.map((selector) => selector.toLowerCase())
    return sql`${sql.ref(column)} in (
      select id from ${sql.table(table)}
      where time_deleted is null and (name in (${list(selectors)}) or id in (${list(ids)})))`
  },
  key: sql.ref(column),
  word: sql`(
    select thing.name from ${sql.table(table)} as thing where thing.id = ${sql.ref(column)})`,
  words: (values) => sql`
    select name from ${sql.table(table)} where time_deleted is null and id in (${values(column)})`,
})

/** The column is a time within the age that a word gives, and beyond that of the word before. */
export function age(column: string): Filter {
  const time = sql.ref<string>(column)
  const since = (word: Age) => new Date(Math.max(0, Date.now() - ages[word])).toISOString()
  return {
    wants(words) {
      const ranges = ageWords.flatMap((word, index) => {
        if (!words.includes(word)) return []
        const before = ageWords[index - 1]
        const notAfter = before ? sql`${time} < ${since(before)}` : sql`1 = 1`
        return [sql`(${time} >= ${since(word)} and ${notAfter})`]
      })
      return sql`(${sql.join(ranges, sql` or `)})`
    },
    key: time,
    // Each query uses the present time.
    get word() {
      const cases = ageWords.map((word) => sql`when ${time} >= ${since(word)} then ${word}`)
      return sql<string>`case ${sql.join(cases, sql` `)} end`
    },
    words: () =>
      sql.join(
        ageWords.map((word) => sql`select ${sql.lit(word)}`),
        sql` union all `,
      ),
  }
}

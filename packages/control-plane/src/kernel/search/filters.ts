import { type RawBuilder, sql } from 'kysely'

/** What the words of a parameter ask of a row. */
export type Filter = (words: string[]) => RawBuilder<boolean>

const list = (values: string[]) => sql.join(values)

/** A column that has one of the words. */
export const oneOf =
  (column: string): Filter =>
  (words) =>
    sql`${sql.ref(column)} in (${list(words)})`

/** A column that is null or not: `no` or `yes`. */
export const present =
  (column: string): Filter =>
  (words) => {
    const [yes, no] = [words.includes('yes'), words.includes('no')]
    if (yes && no) return sql`1 = 1`
    return sql`coalesce(${sql.ref(column)}, '') ${sql.raw(yes ? '>' : '=')} ''`
  }

/** A column that has the id of one of these pools. One that there is not holds nothing. */
export const pools =
  (column: string): Filter =>
  (selectors) => {
    const ids = selectors.map((selector) => selector.toLowerCase())
    return sql`${sql.ref(column)} in (
      select id from ip_pool
      where time_deleted is null and (name in (${list(selectors)}) or id in (${list(ids)})))`
  }

import { type RawBuilder, sql } from 'kysely'

/** The condition on rows that the words of a parameter stand for. */
export type Filter = (words: string[]) => RawBuilder<boolean>

const list = (values: string[]) => sql.join(values)

/** The column has one of the words as its value. */
export const oneOf =
  (column: string): Filter =>
  (words) =>
    sql`${sql.ref(column)} in (${list(words)})`

/** The column is null (`no`) or not (`yes`). */
export const present =
  (column: string): Filter =>
  (words) => {
    const [yes, no] = [words.includes('yes'), words.includes('no')]
    if (yes && no) return sql`1 = 1`
    return sql`coalesce(${sql.ref(column)}, '') ${sql.raw(yes ? '>' : '=')} ''`
  }

/** The column has the id of one of these pools. A pool that does not exist matches no row. */
export const pools =
  (column: string): Filter =>
  (selectors) => {
    const ids = selectors.map((selector) => selector.toLowerCase())
    return sql`${sql.ref(column)} in (
      select id from ip_pool
      where time_deleted is null and (name in (${list(selectors)}) or id in (${list(ids)})))`
  }

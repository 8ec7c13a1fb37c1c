/** Statements that are written in many places. */
import { type SelectQueryBuilder, sql, type UpdateObject } from 'kysely'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

/** The ids of some rows, for a condition of a query. */
export const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** The number of rows that a query without columns finds. */
export async function countRows<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const { count } = await rows
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$castTo<{ count: number | string }>()
    .executeTakeFirstOrThrow()
  // PostgreSQL counts by numbers that are texts.
  return Number(count)
}

/**
 * Value of a column → the number of rows with it, among those that a query without columns finds.
 */
export async function countRowsBy<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
  column: string,
): Promise<Map<string, number>> {
  const counts = await rows
    .select((eb) => [sql.ref<string>(column).as('value'), eb.fn.countAll<number>().as('count')])
    .groupBy(sql.ref(column))
    .$castTo<{ value: string; count: number | string }>()
    .execute()
  return new Map(counts.map(({ value, count }) => [value, Number(count)]))
}

/** Changes columns of the row with an id. */
export async function changeRow<T extends keyof Database>(
  db: Db,
  table: T,
  id: string,
  values: UpdateObject<Database, T, T>,
): Promise<void> {
  await db
    // Stands for any table; all have an id.
    .updateTable(table as 'event')
    .set(values as object)
    .where('id', '=', id as never)
    .execute()
}

/** Queries and changes that are needed in many places. */
import { type Selectable, type SelectQueryBuilder, sql, type UpdateObject } from 'kysely'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

/** The ids of some rows, for a condition of a query. */
export const idsIn = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/**
 * Some columns of the row with an id, or all of them.
 * @returns undefined if there is no such row
 */
export async function findRow<
  T extends keyof Database,
  C extends keyof Selectable<Database[T]> & string = keyof Selectable<Database[T]> & string,
>(
  db: Db,
  table: T,
  id: string | null,
  ...columns: C[]
): Promise<Pick<Selectable<Database[T]>, C> | undefined> {
  // Stands for any table; all have an id.
  const rows = db.selectFrom(table as 'event').where('id', '=', id as never)
  const read = columns.length > 0 ? rows.select(columns as 'id'[]) : rows.selectAll()
  return (await read.executeTakeFirst()) as Pick<Selectable<Database[T]>, C> | undefined
}

/** As {@link findRow}, of a row that is there. */
export const readRow = async <
  T extends keyof Database,
  C extends keyof Selectable<Database[T]> & string = keyof Selectable<Database[T]> & string,
>(
  ...of: [db: Db, table: T, id: string | null, ...columns: C[]]
): Promise<Pick<Selectable<Database[T]>, C>> => present(await findRow(...of))

/** @throws Error if there is no row */
export function present<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('no result')
  return found
}

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

/** The sum of a column over the rows that a query without columns finds; 0 for none. */
export async function sumOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, object>,
  column: string,
): Promise<number> {
  const { sum } = await rows
    .select(sql<number | string | null>`sum(${sql.ref(column)})`.as('sum'))
    .$castTo<{ sum: number | string | null }>()
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
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

/**
 * Leases: tasks that one server at a time may do. A row per name has the time at which the lease
 * ends, and a token that rises with every new holder. Times are by the clock of the database, so
 * that servers whose clocks differ agree.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect, OpenDatabase } from './database.ts'

/** How long a lease lasts without renewal, in milliseconds. */
export const LEASE_MS = 5_000
/** How often a holder renews its leases, in milliseconds. */
export const RENEW_MS = 1_500

/** Milliseconds since 1970 by the database's clock, as an expression. */
export const databaseNow = (dialect: Dialect): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/** The time a number of milliseconds from now, as an expression. */
export const databaseTime = (dialect: Dialect, ms: number): RawBuilder<number> =>
  sql<number>`${databaseNow(dialect)} + ${sql.lit(ms)}`

/**
 * Whether a lease has run out. A lease that ends later than any lease can was taken before the
 * clock was set back; it counts as run out.
 */
export const leaseIsOver = (dialect: Dialect, column: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} <= ${databaseNow(dialect)} or ${sql.ref(column)} > ${databaseTime(dialect, 2 * LEASE_MS)})`

/** Takes a free lease. @returns its token, or undefined if another server holds it */
export async function takeLease(
  { db, dialect }: OpenDatabase,
  name: string,
): Promise<number | undefined> {
  const taken = await db
    .insertInto('lease')
    .values({ id: name, token: 1, lease_until: databaseTime(dialect, LEASE_MS) })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          token: sql`lease.token + 1`,
          lease_until: databaseTime(dialect, LEASE_MS),
        })
        .where(leaseIsOver(dialect, 'lease.lease_until')),
    )
    .returning('token')
    .executeTakeFirst()
  return taken?.token
}

/** @returns whether the lease was still held */
export async function renewLease(
  { db, dialect }: OpenDatabase,
  name: string,
  token: number,
): Promise<boolean> {
  const renewed = await db
    .updateTable('lease')
    .set({ lease_until: databaseTime(dialect, LEASE_MS) })
    .where('id', '=', name)
    .where('token', '=', token)
    .returning('id')
    .executeTakeFirst()
  return renewed !== undefined
}

/** Releases a lease, so that other servers need not wait until it runs out. */
export async function releaseLease(db: Db, name: string, token: number): Promise<void> {
  await db
    .updateTable('lease')
    .set({ lease_until: 0 })
    .where('id', '=', name)
    .where('token', '=', token)
    .execute()
}

/**
 * Runs a task that only one caller at a time may run, across all servers.
 * @returns undefined if another caller is running it
 */
export async function withLease<T>(
  database: OpenDatabase,
  name: string,
  task: () => Promise<T>,
): Promise<T | undefined> {
  const token = await takeLease(database, name)
  if (token === undefined) return undefined
  const renewal = setInterval(() => {
    renewLease(database, name, token).catch(() => {})
  }, RENEW_MS)
  try {
    return await task()
  } finally {
    clearInterval(renewal)
    await database.db
      .deleteFrom('lease')
      .where('id', '=', name)
      .where('token', '=', token)
      .execute()
  }
}

/**
 * Does work that only one server at a time may do.
 * @returns false if another server is doing it
 */
export async function onlyHere(
  database: OpenDatabase,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const done = async (): Promise<true> => {
    await work()
    return true
  }
  return (database.shared ? await withLease(database, name, done) : await done()) ?? false
}

/** The columns of `Reconciled` besides the alarm, in a new row. */
export const unclaimed = {
  lease_until: null,
  fence: 0,
  step_failures: 0,
  step_failure: null,
  time_step_failed: null,
}

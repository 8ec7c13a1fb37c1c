/**
 * What one server at a time may do: a row per name, with the time until when it is held, and a
 * token that rises with every new holder. Times are of the database's clock, so that servers whose
 * clocks differ agree.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Dialect, OpenDatabase } from './database.ts'

/** How long a claim lasts that is not renewed, in milliseconds. */
export const LEASE_MS = 5_000
/** How often a holder renews what it holds, in milliseconds. */
export const RENEW_MS = 1_500

/** Milliseconds since 1970 by the database's clock, as an expression. */
export const databaseNow = (dialect: Dialect): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/** A time so many milliseconds from now. */
export const databaseTime = (dialect: Dialect, ms: number): RawBuilder<number> =>
  sql<number>`${databaseNow(dialect)} + ${sql.lit(ms)}`

/**
 * Whether a lease has run out. One that would last longer than any that is given was taken before
 * the clock was set back, and counts as run out.
 */
export const leaseIsOver = (dialect: Dialect, column: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} <= ${databaseNow(dialect)} or ${sql.ref(column)} > ${databaseTime(dialect, 2 * LEASE_MS)})`

/** Takes a free lease. @returns its token, or undefined if another holds it */
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

/** Lets go of a lease, so that others need not wait until it runs out. */
export async function releaseLease(db: Db, name: string, token: number): Promise<void> {
  await db
    .updateTable('lease')
    .set({ lease_until: 0 })
    .where('id', '=', name)
    .where('token', '=', token)
    .execute()
}

import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import { ApiError } from './errors.ts'
import type { ControlPlaneServices } from './services.ts'

/** The result of a part of a transaction, or its error; `refusal` if that is one of the contract. */
export type Attempted<T> = { value: T } | { error: unknown; refusal: ApiError | undefined }

/**
 * Does a part of a transaction that may fail by itself. Its changes are then rolled back, and the
 * transaction stays usable: on PostgreSQL a refused statement would end it otherwise.
 * @param tx a transaction
 * @throws the error of a conflict or an outage, which the whole transaction has to end with
 */
export async function attempt<T>(
  { database, outages }: Pick<ControlPlaneServices, 'database' | 'outages'>,
  tx: Db,
  work: () => Promise<T>,
): Promise<Attempted<T>> {
  await sql`savepoint attempt`.execute(tx)
  try {
    const value = await work()
    await sql`release savepoint attempt`.execute(tx)
    return { value }
  } catch (error) {
    if (database.isConflict(error) || outages.recognize(error)) throw error
    await sql`rollback to savepoint attempt`.execute(tx)
    await sql`release savepoint attempt`.execute(tx)
    // A unique index refuses a name that is taken.
    return { error, refusal: error instanceof ApiError ? error : database.refusalOf(error) }
  }
}

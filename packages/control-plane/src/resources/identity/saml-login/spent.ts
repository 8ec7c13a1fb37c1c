import './table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { digest } from '../../../kernel/secrets.ts'

/**
 * Spends a single-use thing.
 * @param expires the time from which it is refused as expired
 * @returns whether it was not used before
 */
export async function spend(db: Db, thing: string, expires: Date): Promise<boolean> {
  const stored = await db
    .insertInto('saml_spent')
    .values({ digest: await digest(thing), time_expires: expires.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .executeTakeFirst()
  return stored !== undefined
}

/** Removes expired things. */
export const purgeSpent = (db: Db, now: Date) =>
  db.deleteFrom('saml_spent').where('time_expires', '<', now.toISOString()).execute()

import './table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { digest } from '../../../kernel/secrets.ts'

/**
 * Uses up something that may be used once.
 * @param expires from when on it is refused as expired
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

/** Forgets what has expired. */
export const purgeSpent = (db: Db, now: Date) =>
  db.deleteFrom('saml_spent').where('time_expires', '<', now.toISOString()).execute()

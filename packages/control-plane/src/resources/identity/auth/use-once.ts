import './spent.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { digest } from '../../../kernel/secrets.ts'

/**
 * Records the use of a single-use message.
 * @param expires the time from which it is refused as expired
 * @returns whether it was not used before
 */
export async function useOnce(db: Db, message: string, expires: Date): Promise<boolean> {
  const stored = await db
    .insertInto('saml_spent')
    .values({ digest: await digest(message), time_expires: expires.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest')
    .executeTakeFirst()
  return stored !== undefined
}

/** Removes expired messages. */
export const purgeUsed = (db: Db, now: Date) =>
  db.deleteFrom('saml_spent').where('time_expires', '<', now.toISOString()).execute()

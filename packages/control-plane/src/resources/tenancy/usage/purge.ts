import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'

/** Records removed per transaction. */
const PIECE = 500

/**
 * Removes records that ended long ago, in small transactions, and the names of silos and projects
 * that were purged before then.
 * @param before milliseconds since 1970
 */
export async function purgeUsage(db: Db, before: number, isActive: () => boolean): Promise<void> {
  for (let more = true; more && isActive();) {
    const { numAffectedRows } = await sql`
      delete from usage_record where (thing_id, metric, time_start) in (
        select thing_id, metric, time_start from usage_record
        where time_end < ${before} order by time_end limit ${sql.lit(PIECE)})`.execute(db)
    more = Number(numAffectedRows ?? 0) === PIECE
    await yieldToEventLoop()
  }
  await db.deleteFrom('usage_place').where('time_purged', '<', before).execute()
}

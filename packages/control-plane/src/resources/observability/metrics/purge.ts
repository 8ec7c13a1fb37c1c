import { sql } from 'kysely'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'

/** Rows removed per transaction. */
const PIECE = 200

/**
 * Removes old points in small transactions. The last point before the time stays, because it gives
 * the use at that time; for something deleted it is also removed, unless a later point follows.
 * @param before RFC 3339
 * @param isActive called between transactions; false ends the work
 */
export async function purgeProvisioned(
  db: Db,
  before: string,
  isActive: () => boolean,
): Promise<void> {
  for (const kind of ['silo', 'project'] as const) {
    for (let more = true; more && isActive();) {
      const later = (condition: unknown) => sql`exists (select 1 from provisioned as later
        where later.kind = its.kind and later.target_id = its.target_id
          and later.time > its.time and ${condition})`
      const { numAffectedRows } = await sql`
        delete from provisioned where (kind, target_id, time) in (
          select kind, target_id, time from provisioned as its
          where kind = ${kind} and time < ${before}
            and (${later(sql`later.time <= ${before}`)} or (not ${later(sql`true`)} and not exists (
              select 1 from ${sql.table(kind)} as target
              where target.id = its.target_id and target.time_deleted is null)))
          limit ${PIECE})`.execute(db)
      more = Number(numAffectedRows ?? 0) === PIECE
      await yieldToEventLoop()
    }
  }
}

/** Removes notifications and addresses that are kept no longer. */
import {
  CONFIRMATION_VALID_MS,
  NOTIFICATIONS_KEPT_MS,
  NOTIFICATIONS_OF_A_PLACE_MAX,
} from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'

/** Rows removed per transaction. */
const PIECE = 200

/** @param rows a query of ids without a limit */
async function remove(db: Db, rows: RawBuilder<unknown>, isActive: () => boolean): Promise<void> {
  for (let more = true; more && isActive();) {
    const { numAffectedRows } = await sql`
      delete from notification where id in (${rows} limit ${PIECE})`.execute(db)
    more = Number(numAffectedRows ?? 0) === PIECE
    await yieldToEventLoop()
  }
}

/** Removes the oldest notifications of places that have too many. */
async function removeSurplus(db: Db, most: number, isActive: () => boolean): Promise<void> {
  for (const column of ['fleet_id', 'silo_id', 'project_id'] as const) {
    const place = sql.ref(column)
    // The notifications of projects are not those of their silo.
    const own = column === 'silo_id' ? sql`and project_id is null` : sql``
    const { rows } = await sql<{ id: string }>`
      select ${place} as id from notification where ${place} is not null ${own}
      group by ${place} having count(*) > ${most}`.execute(db)
    for (const { id } of rows) {
      const its = sql`from notification where ${place} = ${id} ${own}`
      const oldest = await sql<{ time: string }>`
        select time ${its} order by time desc limit 1 offset ${most}`.execute(db)
      const last = oldest.rows[0]?.time ?? ''
      await remove(db, sql`select id ${its} and time <= ${last}`, isActive)
    }
  }
}

/** @param isActive called between transactions; false ends the work */
export async function tidyNotifications(
  db: Db,
  now: Date,
  isActive: () => boolean,
  most: number = NOTIFICATIONS_OF_A_PLACE_MAX,
): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const old = before(NOTIFICATIONS_KEPT_MS)
  await remove(
    db,
    sql`select id from notification where time < ${old} and state = 'resolved'`,
    isActive,
  )
  await removeSurplus(db, most, isActive)
  await db
    .deleteFrom('notification_subscription')
    .where('time_confirmed', 'is', null)
    .where('time_modified', '<', before(CONFIRMATION_VALID_MS))
    .execute()
}

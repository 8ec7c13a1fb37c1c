import { FLEET_ID } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'

/** Rows removed per transaction. */
const PIECE = 200

/**
 * Removes alerts and deliveries from before a time, in small transactions. Pending deliveries are
 * also removed, because their receiver could not be reached for all that time; an alert stays as
 * long as it has newer deliveries.
 * @param before RFC 3339
 * @param isActive called between transactions; false ends the work
 */
export async function purgeAlerts(db: Db, before: string, isActive: () => boolean): Promise<void> {
  const purge = async (piece: () => Promise<{ id: string }[]>) => {
    while (isActive() && (await piece()).length === PIECE) await yieldToEventLoop()
  }
  await purge(() =>
    db
      .deleteFrom('alert_delivery')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alert_delivery')
          .select('id')
          .where('time_started', '<', before)
          .limit(PIECE),
      )
      .returning('id')
      .execute(),
  )
  await purge(() =>
    db
      .deleteFrom('alert')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alert')
          .select('id')
          .where('fleet_id', '=', FLEET_ID)
          .where('time_created', '<', before)
          .where((its) =>
            its.not(
              its.exists(
                its
                  .selectFrom('alert_delivery')
                  .select('alert_delivery.id')
                  .whereRef('alert_delivery.alert_id', '=', 'alert.id'),
              ),
            ),
          )
          .limit(PIECE),
      )
      .returning('id')
      .execute(),
  )
}

import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Deletes a receiver with its secrets and subscriptions. */
export async function deleteReceiver(
  { db, now, emit }: Writing,
  { id, name }: Row<'alert_receiver'>,
): Promise<void> {
  await db.deleteFrom('webhook_secret').where('receiver_id', '=', id).execute()
  await db.deleteFrom('alert_subscription').where('receiver_id', '=', id).execute()
  // Deliveries are removed later, with old rows.
  await db
    .updateTable('alert_receiver')
    .set({ time_deleted: now.toISOString(), reconcile_at: null })
    .where('id', '=', id)
    .execute()
  await emit('alert_receiver', 'delete', { id, name })
}

import type { Row } from '../../../kernel/kinds.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'

/** Deletes a receiver with its secrets and subscriptions. */
export async function deleteReceiver(
  writing: Writing,
  { id, name }: Row<'alert_receiver'>,
): Promise<void> {
  const { db } = writing
  await db.deleteFrom('webhook_secret').where('receiver_id', '=', id).execute()
  await db.deleteFrom('alert_subscription').where('receiver_id', '=', id).execute()
  // Deliveries are removed later, with old rows.
  await deleteRow(writing, 'alert_receiver', { id, name }, { reconcile_at: null })
}

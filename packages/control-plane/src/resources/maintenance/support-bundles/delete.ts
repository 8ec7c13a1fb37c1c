import { bundleDeletionRefusal } from '@steading/api/rules'
import { refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'

/**
 * Deletes a bundle, or ends its collection. A failed bundle is gone at once, any other when the
 * reconciler has removed its bytes.
 * @throws ApiError 400 if it is being deleted
 */
export async function deleteBundle(
  { db, now, emit, afterCommit, services }: Work,
  bundle: Row<'support_bundle'>,
): Promise<void> {
  refuseIf(bundleDeletionRefusal(bundle.state))
  const time = now.toISOString()
  const failed = bundle.state === 'failed'
  await changeRow(
    db,
    'support_bundle',
    bundle.id,
    failed ? { time_deleted: time } : { state: 'destroying', reconcile_at: time },
  )
  await emit('support_bundle', failed ? 'delete' : 'update', bundle)
  if (!failed) afterCommit(async () => services.reconciler.wake('support_bundle'))
}

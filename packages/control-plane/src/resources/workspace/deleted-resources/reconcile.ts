import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { releaseExcess, releaseResource } from './release.ts'
import type { DeletedRow } from './restore.ts'

async function reconcileDeleted(
  database: OpenDatabase,
  step: Step<'deleted_resource'>,
  row: DeletedRow,
): Promise<void> {
  const { now } = step
  const expires = new Date(row.time_expires)
  // The clock was set back.
  if (now < expires) return step.end(database.db, expires)
  await database.transaction(async (tx) => {
    await step.end(tx, null)
    await releaseResource(writingIn(tx, now), row)
  })
  step.wake('disk')
  step.wake('snapshot')
}

/** Releases deleted resources that can no longer be restored, or are too many. */
export const deletedResourceReconciliation = ({
  database,
  clock,
}: {
  database: OpenDatabase
  clock: () => Date
}): Reconciliation<'deleted_resource'> => ({
  table: 'deleted_resource',
  reconcile: (step, row) => reconcileDeleted(database, step, row),
  resync: () => releaseExcess(database.db, clock()),
})

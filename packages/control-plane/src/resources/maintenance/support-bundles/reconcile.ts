/**
 * Collects support bundles, and removes the bytes of deleted ones. Each attempt writes to its own
 * volume, so that remains of a killed server, or writes of one that was thought dead, are part of
 * no bundle.
 */
import { BUNDLE_COLLECT_MS, supportBundleMessages } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { NoSpaceError } from '../../../kernel/ports/block-store.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { writingIn } from '../../../kernel/work.ts'
import { collectBundle } from './collect.ts'

export type BundleRow = Row<'support_bundle'>
type BundleStep = Step<'support_bundle'>

/** The bundle was deleted, or another server collects it now. */
class Superseded extends Error {}

async function finish(
  { database, clock }: ControlPlaneServices,
  step: BundleStep,
  volumeId: string,
  values: Partial<BundleRow>,
): Promise<void> {
  await database.concurrently(async (tx) => {
    const unchanged = { state: 'collecting', volume_id: volumeId } as const
    const written = await step.end(tx, null, { values, unchanged })
    if (written) await writingIn(tx, clock()).emit('support_bundle', 'update', written)
  })
}

async function collect(
  services: ControlPlaneServices,
  step: BundleStep,
  bundle: BundleRow,
): Promise<void> {
  const { database, volumes, clock, outages } = services
  const { db } = database
  const volumeId = crypto.randomUUID()
  const mine = db
    .updateTable('support_bundle')
    .set({ volume_id: volumeId })
    .where('id', '=', bundle.id)
    .where('fence', '=', bundle.fence)
    .where('state', '=', 'collecting')
    .returning('id')
  if (!(await mine.executeTakeFirst())) return
  if (bundle.volume_id !== null) await volumes.delete(bundle.volume_id)
  const throwIfEnded = async () => {
    const row = await db
      .selectFrom('support_bundle')
      .select('id')
      .where('id', '=', bundle.id)
      .where('volume_id', '=', volumeId)
      .where('state', '=', 'collecting')
      .executeTakeFirst()
    if (!row) throw new Superseded()
  }
  try {
    const size = await collectBundle(services, bundle, volumeId, throwIfEnded)
    await finish(services, step, volumeId, { state: 'active', size })
  } catch (error) {
    // The step that superseded this one removes the volume named by the row. This step's volume is
    // named by none.
    if (error instanceof Superseded) return volumes.delete(volumeId)
    const full = error instanceof NoSpaceError
    const age = clock().getTime() - Date.parse(bundle.time_created)
    if (!full && (age < BUNDLE_COLLECT_MS || outages.recognize(error))) throw error
    const reason = full ? supportBundleMessages.diskFull : supportBundleMessages.gaveUp
    // The log would take such an error for a full disk of the database, which has its own reserve.
    services.settings.log(`collecting support bundle ${bundle.id} failed`, full ? reason : error)
    await volumes.delete(volumeId)
    await finish(services, step, volumeId, {
      state: 'failed',
      reason_for_failure: reason,
      volume_id: null,
    })
  }
}

async function destroy(
  { database, volumes, clock }: ControlPlaneServices,
  step: BundleStep,
  bundle: BundleRow,
): Promise<void> {
  if (bundle.volume_id !== null) await volumes.delete(bundle.volume_id)
  const now = clock()
  await database.concurrently(async (tx) => {
    const values = { volume_id: null, size: 0, time_deleted: now.toISOString() }
    const gone = await step.end(tx, null, { values, unchanged: { state: 'destroying' } })
    if (gone) await writingIn(tx, now).emit('support_bundle', 'delete', gone)
  })
}

export async function reconcileBundle(
  services: ControlPlaneServices,
  step: BundleStep,
  bundle: BundleRow,
): Promise<void> {
  if (bundle.time_deleted !== null) return
  if (bundle.state === 'collecting') return collect(services, step, bundle)
  if (bundle.state === 'destroying') return destroy(services, step, bundle)
}

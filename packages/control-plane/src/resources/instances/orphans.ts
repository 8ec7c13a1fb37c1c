import type { ReconcilerParts } from '../../kernel/reconciler.ts'

async function removeVms({ database: { db }, engine }: ReconcilerParts): Promise<void> {
  const vms = await engine.listVms()
  if (vms.length === 0) return
  const rows = await db
    .selectFrom('instance')
    .select('vm_id')
    .where('vm_id', 'is not', null)
    .execute()
  const owned = new Set(rows.map(({ vm_id }) => vm_id))
  for (const id of vms) if (!owned.has(id)) await engine.destroy(id)
}

async function removeVolumes({ database: { db }, engine }: ReconcilerParts): Promise<void> {
  const volumes = await engine.listVolumes()
  if (volumes.length === 0) return
  const rows = await db
    .selectFrom('disk')
    .select('id')
    .where((eb) => eb.or([eb('time_deleted', 'is', null), eb('reconcile_at', 'is not', null)]))
    .execute()
  const owned = new Set(rows.map(({ id }) => id))
  for (const id of volumes) if (!owned.has(id)) await engine.deleteVolume(id)
}

async function removeSnapshots({ database: { db }, engine }: ReconcilerParts): Promise<void> {
  const snapshots = await engine.listSnapshots()
  if (snapshots.length === 0) return
  const rows = await db
    .selectFrom('snapshot')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('time_deleted', 'is', null),
        eb('reconcile_at', 'is not', null),
        eb(
          'id',
          'in',
          eb
            .selectFrom('image')
            .select('snapshot_id')
            .where('snapshot_id', 'is not', null)
            .where('time_deleted', 'is', null),
        ),
      ]),
    )
    .execute()
  const owned = new Set(rows.map(({ id }) => id))
  for (const id of snapshots) if (!owned.has(id)) await engine.deleteSnapshot(id)
}

/** Removes what the engine has and no row speaks of. */
export async function removeOrphans(parts: ReconcilerParts): Promise<void> {
  await removeVms(parts)
  await removeVolumes(parts)
  await removeSnapshots(parts)
}

import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { chooseSled, type PlacementAssumptions } from '../../compute/instances/placement.ts'
import { autoRestartEnabled } from '../../compute/instances/wire.ts'
import { expungePhysicalDisks } from '../physical-disks/expunge.ts'
import { countReplicasOf } from '../physical-disks/replicas.ts'
import { sledInstances } from './instances.ts'

/**
 * Expunges a sled for good. Its instances fail, and are restarted elsewhere if their policy says
 * so; once it holds nothing any more, it is decommissioned. Does nothing for an expunged sled.
 */
export async function expungeSled(work: Work, sled: Row<'sled'>): Promise<void> {
  if (sled.policy === 'expunged') return
  const { db, now, emit, services, afterCommit } = work
  const time = now.toISOString()
  await db
    .updateTable('sled')
    .set({ policy: 'expunged', provision_policy: 'non_provisionable', time_modified: time })
    .where('id', '=', sled.id)
    .execute()
  await emit('sled', 'update', sled)
  const disks = await db
    .selectFrom('physical_disk')
    .selectAll()
    .where('sled_id', '=', sled.id)
    .execute()
  await expungePhysicalDisks(work, disks)
  await db
    .updateTable('instance')
    .set({ reconcile_at: time })
    .where('sled_id', '=', sled.id)
    .execute()
  afterCommit(async () => services.reconciler.wake('instance'))
}

/**
 * The sleds that the instances of a sled would get if it were expunged now: one after the other, as
 * they restart.
 */
async function simulateRestarts(
  db: Db,
  sled: Row<'sled'>,
): Promise<Wire.SledExpungePreview['instances']> {
  const rows = await db
    .selectFrom('instance')
    .selectAll()
    .where('sled_id', '=', sled.id)
    .orderBy('id')
    .execute()
  const places = new Map(
    (await sledInstances(db, sled.id).execute()).map((place) => [place.id, place]),
  )
  const serials = new Map(
    (await db.selectFrom('sled').select(['id', 'name']).execute()).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const moved: Map<string, { sledId: string; ncpus: number; memory: number }> = new Map()
  const assumptions: PlacementAssumptions = { without: sled.id, moved }
  const instances: Wire.SledExpungePreview['instances'] = []
  for (const row of rows) {
    const { id, name, ncpus, memory } = row
    const { silo_name, project_name } = places.get(id)!
    let sledId: string | undefined
    let problem: string | null = null
    try {
      sledId = await chooseSled(db, row, assumptions)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem = error.message
    }
    const restarts = autoRestartEnabled(row)
    // Instances that stay failed take no room.
    if (sledId !== undefined && restarts) moved.set(id, { sledId, ncpus, memory })
    const sled_serial = sledId === undefined ? null : serials.get(sledId)!
    instances.push({
      id,
      name,
      silo_name,
      project_name,
      ncpus,
      memory,
      restarts,
      sled_serial,
      problem,
    })
  }
  return instances
}

/** The losses that expunging a sled would cause. */
export async function previewExpunge(db: Db, sled: Row<'sled'>): Promise<Wire.SledExpungePreview> {
  const { replicas, withoutRoom } = await countReplicasOf(db, sled.id)
  return {
    instances: await simulateRestarts(db, sled),
    replicas,
    replicas_without_room: withoutRoom,
  }
}

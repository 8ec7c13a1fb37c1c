import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { autoRestartEnabled } from '../../compute/instances/wire.ts'
import { setFencingAlarm } from '../host-fencing/change.ts'
import { setHostAlarms } from '../hosts/alarm.ts'
import { expungePhysicalDisks } from '../physical-disks/expunge.ts'
import { countReplicasOf } from '../physical-disks/replicas.ts'
import { dropMaintenance } from '../sled-maintenance/change.ts'
import { simulateLeaving } from './leaving.ts'

/**
 * Expunges a sled for good. Its instances fail, and are restarted elsewhere if their policy says
 * so; once it holds nothing any more, it is decommissioned. Does nothing for an expunged sled.
 */
export async function expungeSled(work: Work, sled: Row<'sled'>): Promise<void> {
  if (sled.policy === 'expunged') return
  const { db, now, emit, services, afterCommit } = work
  const time = now.toISOString()
  await changeRow(db, 'sled', sled.id, {
    policy: 'expunged',
    provision_policy: 'non_provisionable',
    time_modified: time,
  })
  await dropMaintenance(db, sled.id)
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
  await setHostAlarms(db, now, sled.name)
  await setFencingAlarm(db, now, sled.name)
  afterCommit(async () => {
    services.reconciler.wake('instance')
    services.reconciler.wake('host')
    services.reconciler.wake('host_fencing')
  })
}

/**
 * The sleds that the instances of a sled would get if it were expunged now: one after the other, as
 * they restart. Instances that stay failed take no room.
 */
async function simulateRestarts(
  db: Db,
  sled: Row<'sled'>,
): Promise<Wire.SledExpungePreview['instances']> {
  const leaving = await simulateLeaving(db, sled, { takesRoom: autoRestartEnabled })
  return leaving.map(({ row, place, serial, problem }) => ({
    id: row.id,
    name: row.name,
    silo_name: place.silo_name,
    project_name: place.project_name,
    ncpus: row.ncpus,
    memory: row.memory,
    restarts: autoRestartEnabled(row),
    sled_serial: serial,
    problem,
  }))
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

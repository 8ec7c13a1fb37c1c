import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { isOfLiveDisk } from './replicas.ts'

/** Most repairs that are listed. */
const SHOWN = 100

/** Counts the replicas of disks that are not ready, and lists the first of them. */
export async function summarizeReplicas(db: Db): Promise<Wire.DiskReplicaSummary> {
  const unready = db
    .selectFrom('disk_replica')
    .where('disk_replica.state', '<>', 'ready')
    .where(isOfLiveDisk)
  const counts = await unready
    .select((eb) => ['disk_replica.state', eb.fn.countAll<number | string>().as('count')])
    .select((eb) => eb.fn.max('time_repaired').as('last'))
    .groupBy('disk_replica.state')
    .execute()
  const of = (state: 'repairing' | 'lost') => counts.find((count) => count.state === state)
  const rows = await unready
    .innerJoin('physical_disk', 'physical_disk.id', 'disk_replica.physical_disk_id')
    .innerJoin('sled', 'sled.id', 'physical_disk.sled_id')
    .select(['disk_id', 'disk_replica.size', 'disk_replica.state', 'time_started', 'time_repaired'])
    .select(['sled.name as sled_serial', 'physical_disk.name as physical_disk_serial'])
    .orderBy('disk_replica.state', 'desc')
    .orderBy('time_repaired')
    .orderBy('disk_id')
    .limit(SHOWN)
    .$narrowType<{ state: 'repairing' | 'lost' }>()
    .execute()
  return {
    repairing: Number(of('repairing')?.count ?? 0),
    lost: Number(of('lost')?.count ?? 0),
    time_repaired: of('repairing')?.last ?? null,
    items: rows,
  }
}

/** Finds the sleds that reach the storage pools of the disks of an instance. */
import { placementProblems } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'

/** @returns why a sled cannot take an instance because of its disks, by its serial number */
export async function poolProblemsOf(
  db: Db,
  instanceId: string,
): Promise<(serial: string) => { pool: string; problem: string } | undefined> {
  const rows = await db
    .selectFrom('disk')
    .innerJoin('storage_pool as pool', 'pool.id', 'disk.storage_pool_id')
    .innerJoin('storage_pool_host as host', 'host.storage_pool_id', 'pool.id')
    .select(['pool.id', 'pool.name', 'pool.built_in', 'host.serial', 'host.problem'])
    .distinct()
    .where('disk.instance_id', '=', instanceId)
    .where('disk.time_deleted', 'is', null)
    .execute()
  // Of a pool without hosts in its rows, all hosts reach it.
  const pools = [...Map.groupBy(rows, ({ id }) => id).values()]
  return (serial) => {
    for (const hosts of pools) {
      const { name, built_in } = hosts[0]!
      const host = hosts.find((one) => one.serial === serial)
      if (host?.problem != null) return { pool: name, problem: placementProblems.pool(name) }
      // Every host was asked about the first pool before it became a sled.
      if (!host && built_in === 0) {
        return { pool: name, problem: placementProblems.poolUnknown(name) }
      }
    }
    return undefined
  }
}

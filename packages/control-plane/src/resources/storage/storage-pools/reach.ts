/** Finds the sleds that reach storage pools. */
import { placementProblems } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { PoolRow } from './choose.ts'

type Pool = Pick<PoolRow, 'id' | 'name' | 'built_in'>
/** Whether a host reaches a pool. */
interface Reach extends Pool {
  serial: string
  problem: string | null
}

/** Why a host does not reach a pool, by the hosts that were asked; undefined if it does. */
function problemWith(hosts: readonly Reach[], serial: string): string | undefined {
  // Of a pool without hosts in its rows, all hosts reach it.
  if (hosts.length === 0) return undefined
  const { name, built_in } = hosts[0]!
  const host = hosts.find((one) => one.serial === serial)
  if (host?.problem != null) return placementProblems.pool(name)
  // Every host was asked about the first pool before it became a sled.
  return !host && built_in === 0 ? placementProblems.poolUnknown(name) : undefined
}

const reaches = (db: Db) =>
  db
    .selectFrom('storage_pool as pool')
    .innerJoin('storage_pool_host as host', 'host.storage_pool_id', 'pool.id')
    .select(['pool.id', 'pool.name', 'pool.built_in', 'host.serial', 'host.problem'])

/** @param serial serial number of a sled */
export async function isReachedBy(
  db: Db,
  { id }: Pick<PoolRow, 'id'>,
  serial: string,
): Promise<boolean> {
  const hosts = await reaches(db).where('pool.id', '=', id).execute()
  return problemWith(hosts, serial) === undefined
}

/** @returns why a sled cannot take an instance because of its disks, by its serial number */
export async function poolProblemsOf(
  db: Db,
  instanceId: string,
): Promise<(serial: string) => { pool: string; problem: string } | undefined> {
  const rows = await reaches(db)
    .where('pool.id', 'in', (eb) =>
      eb
        .selectFrom('disk')
        .select('disk.storage_pool_id')
        .where('disk.instance_id', '=', instanceId)
        .where('disk.time_deleted', 'is', null)
        .where('disk.storage_pool_id', 'is not', null)
        .$castTo<{ storage_pool_id: string }>(),
    )
    .execute()
  const pools = [...Map.groupBy(rows, ({ id }) => id).values()]
  return (serial) => {
    for (const hosts of pools) {
      const problem = problemWith(hosts, serial)
      if (problem !== undefined) return { pool: hosts[0]!.name, problem }
    }
    return undefined
  }
}

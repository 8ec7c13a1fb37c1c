/** Values of a pool after a look at it. */
import { isMountedPool } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Hardware } from '../../../kernel/ports/hardware.ts'
import type { PoolHost, StoragePools } from '../../../kernel/ports/storage-pools.ts'
import { sumOf } from '../../../kernel/db/rows.ts'
import { engineIdOf } from './choose.ts'

export interface PoolParts {
  storagePools: StoragePools
  hardware: Pick<Hardware, 'replicas'>
}

/** A look at a pool. */
export interface PoolLook {
  values: Pick<Row<'storage_pool'>, 'state' | 'problem' | 'free'> &
    Partial<Pick<Row<'storage_pool'>, 'size' | 'used'>>
  hosts: PoolHost[]
}

/** The sizes of all disks with replicas, and of the physical disks for them. */
async function lookAtPhysicalDisks(db: Db, replicas: number): Promise<PoolLook> {
  const physical = db
    .selectFrom('physical_disk')
    .where('policy', '=', 'in_service')
    .where('form_factor', '=', 'u2')
  const each = (bytes: number): number => Math.floor(bytes / Math.max(1, replicas))
  const size = each(await sumOf(physical, 'size'))
  const used = each(await sumOf(physical, 'used'))
  return {
    values: { state: 'healthy', problem: null, size, used, free: null },
    hosts: [],
  }
}

type Placed = Pick<Row<'storage_pool'>, 'id' | 'built_in' | 'type' | 'path' | 'source'>

/** A pool in a directory, as the engine knows it. */
export const placeOf = (pool: Placed) => ({
  id: engineIdOf(pool),
  path: pool.path!,
  ...(isMountedPool(pool.type) && { mount: { type: pool.type, source: pool.source! } }),
})

/** Looks at a pool that is there, or is to be made of an empty directory. */
export async function lookAt(
  db: Db,
  { storagePools, hardware }: PoolParts,
  pool: Placed,
): Promise<PoolLook> {
  if (pool.type === 'physical_disks') return lookAtPhysicalDisks(db, hardware.replicas)
  const { problem, size, free, hosts } = await storagePools.examine(placeOf(pool))
  return {
    values: {
      state: problem === undefined ? 'healthy' : 'unreachable',
      problem: problem ?? null,
      free: free ?? null,
      // One that cannot be reached keeps its size.
      ...(size !== undefined && { size }),
    },
    hosts,
  }
}

/**
 * Replaces the hosts of a pool.
 * @returns whether anything about them has changed
 */
export async function writeHosts(db: Db, poolId: string, hosts: PoolHost[]): Promise<boolean> {
  const before = await db
    .selectFrom('storage_pool_host')
    .select(['serial', 'problem'])
    .where('storage_pool_id', '=', poolId)
    .orderBy('serial')
    .execute()
  const found = hosts
    .map(({ serial, problem = null }) => ({ serial, problem }))
    .toSorted((a, b) => (a.serial < b.serial ? -1 : 1))
  const isSame =
    before.length === found.length &&
    before.every(({ serial, problem }, at) => {
      return serial === found[at]!.serial && problem === found[at]!.problem
    })
  if (isSame) return false
  await db.deleteFrom('storage_pool_host').where('storage_pool_id', '=', poolId).execute()
  if (found.length > 0) {
    await db
      .insertInto('storage_pool_host')
      .values(found.map((host) => ({ storage_pool_id: poolId, ...host })))
      .execute()
  }
  return true
}

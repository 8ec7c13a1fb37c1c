/**
 * Simulated storage pools. The first one is the physical disks of the rack. The others are
 * directories, mounted by hosts or not, whose name says what they are like: one that begins with `sim-` is there, unless the
 * next word is a fault: `missing`, `used`; `small` has little room, and `far` is reached by the first
 * two sleds only. The bytes of volumes stay where they are; a move only takes its time.
 */
import { GiB, storagePoolProblems, TiB } from '@steading/api/rules'
import { admit } from '@steading/control-plane/engine'
import {
  type EngineContext,
  type Hardware,
  type PoolExamination,
  type PoolPlace,
  type StoragePools,
  UnusablePoolError,
  type Volumes,
} from '@steading/control-plane/ports'
import type { Faults } from './faults.ts'

export interface SimulatedPoolTable {
  id: string
  path: string
}

/** A volume or a snapshot. Without a row, it is on the physical disks. */
export interface SimulatedVolumePoolTable {
  volume_id: string
  /** Null for the physical disks. */
  pool_id: string | null
  /** The pool to which it is moved; of one that is moved only. */
  destination: string | null
  /** When the move began, in milliseconds; null for a volume that is not moved. */
  moves_since: number | null
}

declare module '@steading/control-plane/engine' {
  interface Database {
    simulated_pool: SimulatedPoolTable
    simulated_volume_pool: SimulatedVolumePoolTable
  }
}

const SIZE = 16 * TiB
const SMALL = 4 * GiB
/** Sleds that reach a pool that is far. */
const NEAR = 2
/** Why a file system that is not there cannot be mounted. */
const NO_EXPORT = 'No such file or directory'
const NAME = /\/sim-([a-z0-9]+)[^/]*$/

const wordOf = (path: string): string | undefined => NAME.exec(path)?.[1]

/** The fault of a directory, by its name. */
function problemOf(path: string): string | undefined {
  const word = wordOf(path)
  if (word === undefined || word === 'missing') return storagePoolProblems.missing(path)
  return word === 'used' ? storagePoolProblems.notEmpty(path) : undefined
}

/**
 * @param volumes of all pools
 * @returns the pools, and the same volumes in them
 */
export function createSimulatedPools(
  { database, clock }: Pick<EngineContext, 'database' | 'clock'>,
  volumes: Volumes,
  { copyMs }: Pick<Hardware, 'copyMs'>,
  faults: Faults,
): { storagePools: StoragePools; volumes: Volumes } {
  const { db } = database

  const rowOf = (volumeId: string) =>
    db
      .selectFrom('simulated_volume_pool')
      .selectAll()
      .where('volume_id', '=', volumeId)
      .executeTakeFirst()
  const poolOf = async (volumeId: string): Promise<string | null> =>
    (await rowOf(volumeId))?.pool_id ?? null

  /** Puts a new volume into a pool, unless it is in one. */
  async function put(volumeId: string, pool: string | null): Promise<void> {
    if (pool === null) return
    await db
      .insertInto('simulated_volume_pool')
      .values({ volume_id: volumeId, pool_id: pool, destination: null, moves_since: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  const set = async (
    volumeId: string,
    values: Omit<SimulatedVolumePoolTable, 'volume_id'>,
  ): Promise<void> => {
    await db
      .insertInto('simulated_volume_pool')
      .values({ volume_id: volumeId, ...values })
      .onConflict((conflict) => conflict.column('volume_id').doUpdateSet(values))
      .execute()
  }

  const forget = (volumeId: string) =>
    db.deleteFrom('simulated_volume_pool').where('volume_id', '=', volumeId).execute()

  /** @throws UnusablePoolError for a fault that was injected */
  function requireUsable({ id, path }: PoolPlace): void {
    try {
      faults.check('usePool', id ?? '')
    } catch {
      throw new UnusablePoolError(storagePoolProblems.notMounted(path))
    }
  }

  async function bytesIn(poolId: string): Promise<number> {
    const { sum } = await db
      .selectFrom('simulated_volume_pool')
      .innerJoin('volume', 'volume.id', 'simulated_volume_pool.volume_id')
      .select((eb) => eb.fn.sum<number | string | null>('volume.size').as('sum'))
      .where('pool_id', '=', poolId)
      .executeTakeFirstOrThrow()
    return Number(sum ?? 0)
  }

  async function examine(place: PoolPlace): Promise<PoolExamination> {
    const { id, path, mount } = place
    const problem = problemOf(path)
    if (problem !== undefined) {
      return {
        problem: mount ? storagePoolProblems.cannotMount(mount.source, NO_EXPORT) : problem,
        hosts: [],
      }
    }
    try {
      requireUsable(place)
    } catch (error) {
      return { problem: (error as UnusablePoolError).message, hosts: [] }
    }
    const size = wordOf(path) === 'small' ? SMALL : SIZE
    const free = Math.max(0, size - (id === null ? 0 : await bytesIn(id)))
    if (wordOf(path) !== 'far') return { size, free, hosts: [] }
    const sleds = await db.selectFrom('simulated_sled').select('serial').orderBy('cubby').execute()
    const hosts = sleds.map(({ serial }, index) => ({
      serial,
      ...(index >= NEAR && {
        problem: storagePoolProblems.hostMissing(storagePoolProblems.missing(path)),
      }),
    }))
    return { size, free, hosts }
  }

  const storagePools: StoragePools = {
    first: { type: 'physical_disks', path: null },
    examine,
    async add(place) {
      const problem = problemOf(place.path)
      if (problem !== undefined) throw new UnusablePoolError(problem)
      const { id, path } = place
      await db
        .insertInto('simulated_pool')
        .values({ id, path })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async remove({ id }) {
      await db.deleteFrom('simulated_pool').where('id', '=', id).execute()
    },
    async move(volumeId, poolId, fence) {
      faults.check('moveVolume', volumeId)
      await admit(database, volumeId, fence)
      const volume = await db
        .selectFrom('volume')
        .select('size')
        .where('id', '=', volumeId)
        .executeTakeFirst()
      if (!volume) throw new Error(`there is no volume ${volumeId}`)
      const row = await rowOf(volumeId)
      if ((row?.pool_id ?? null) === poolId) {
        if (row?.moves_since !== null && row !== undefined) {
          await set(volumeId, { pool_id: poolId, destination: null, moves_since: null })
        }
        return { done: true, part: 1 }
      }
      if (poolId !== null) {
        const pool = await db
          .selectFrom('simulated_pool')
          .selectAll()
          .where('id', '=', poolId)
          .executeTakeFirst()
        if (!pool) throw new UnusablePoolError('There is no such storage pool')
        requireUsable(pool)
      }
      const isMoving = row?.moves_since != null && row.destination === poolId
      const now = clock().getTime()
      const since = isMoving ? row.moves_since! : now
      const takes = copyMs(volume.size)
      if (now - since >= takes) {
        await set(volumeId, { pool_id: poolId, destination: null, moves_since: null })
        return { done: true, part: 1 }
      }
      if (!isMoving) {
        const from = row?.pool_id ?? null
        await set(volumeId, { pool_id: from, destination: poolId, moves_since: since })
      }
      return { done: false, part: (now - since) / takes }
    },
    async stay(volumeId, poolId, fence) {
      await admit(database, volumeId, fence)
      const row = await rowOf(volumeId)
      const pool = row?.pool_id ?? null
      if (row) await set(volumeId, { pool_id: pool, destination: null, moves_since: null })
      return pool === poolId
    },
  }

  return {
    storagePools,
    volumes: {
      ...volumes,
      async create(id, spec, fence) {
        const { source, pool = null } = spec
        await volumes.create(id, spec, fence)
        await put(id, source === undefined ? pool : await poolOf(source))
      },
      async createSnapshot(id, volumeId, fence) {
        const taken = await volumes.createSnapshot(id, volumeId, fence)
        await put(id, await poolOf(volumeId))
        return taken
      },
      async delete(id, fence) {
        await volumes.delete(id, fence)
        await forget(id)
      },
      async deleteSnapshot(id, fence) {
        await volumes.deleteSnapshot(id, fence)
        await forget(id)
      },
    },
  }
}

/** The storage pools whose disks a restore puts into directories of their own. */
import { join } from 'node:path'
import { storagePoolMessages, storagePoolProblems } from '@steading/api/rules'
import { markRestored, type RestoredPool, TOKEN_FILE, writeNew } from '@steading/files'
import { directoryProblem } from '../engine.ts'
import { StartError } from '../errors.ts'
import type { ListedPool, PoolList } from './pool-list.ts'
import { fileSystemOf, type Place, placeIn, poolProblem } from './restored-places.ts'

/** Name of a pool → its new directory. */
export type PoolDirectories = ReadonlyMap<string, string>

/** A pool with its new directory. */
export interface PoolPlace extends Place {
  pool: ListedPool
}

const cannotBe = (name: string, problem: string): StartError =>
  new StartError(`storage pool ${name} cannot be restored: ${problem}`)

/**
 * Refuses directories that cannot get the disks of pools.
 * @param first the directory of the first pool, or one above it
 * @throws StartError
 */
export async function requireUsable(directories: PoolDirectories, first: string): Promise<void> {
  const fileSystems = new Map([[await fileSystemOf(first), first]])
  for (const [name, path] of directories) {
    const problem = await poolProblem(path)
    if (problem !== undefined) throw cannotBe(name, problem)
    const fileSystem = await fileSystemOf(path)
    const other = fileSystems.get(fileSystem)
    if (other !== undefined) throw cannotBe(name, storagePoolProblems.sameFileSystem(other))
    fileSystems.set(fileSystem, path)
  }
}

/** The pool of a name in a backup. @throws StartError */
function poolNamed(name: string, { first, others }: PoolList): ListedPool {
  const pool = others.find((other) => other.name === name)
  if (pool) return pool
  if (name === first) {
    throw new StartError(
      `storage pool ${name} is the first one, whose directory is in --data, or that of --libvirt-volumes or --shared-directory`,
    )
  }
  const known = others.map((other) => other.name)
  throw new StartError(
    `the backup has no storage pool ${name}, ` +
      (known.length === 0 ? `only the first one, ${first}` : `but ${known.join(', ')}`),
  )
}

/**
 * The places of pools in a backup.
 * @param list undefined for a backup that does not tell the pools of its disks
 * @throws StartError if the backup does not have them, or they cannot be where they are to be
 */
export function placesOf(directories: PoolDirectories, list: PoolList | undefined): PoolPlace[] {
  if (directories.size === 0) return []
  if (!list) {
    throw new StartError(
      'the backup does not tell the storage pools of its disks: it is of an earlier version, or has no real machines; restore it without --pool',
    )
  }
  const places = [...directories].map(([name, path]) => ({
    ...placeIn(path),
    pool: poolNamed(name, list),
  }))
  for (const { pool, directory } of places) {
    // Paths of pools are unique, also of those that stay without a directory.
    const other = list.others.find(({ name, path }) => path === directory && !directories.has(name))
    if (other) throw cannotBe(pool.name, storagePoolMessages.pathTaken(directory, other.name))
  }
  return places
}

/**
 * Refuses directories without the file locks of QEMU, which a new pool needs as well.
 * @throws StartError
 */
export async function requireLocks(places: readonly PoolPlace[]): Promise<void> {
  for (const { pool, directory } of places) {
    const problem = await directoryProblem(directory)
    if (problem !== undefined) throw cannotBe(pool.name, problem)
  }
}

/**
 * Tells the next start that the disks were restored: they belong to a database of their own now.
 * @param disks the directory of the first pool
 */
export async function markPools(disks: string, places: readonly PoolPlace[]): Promise<void> {
  const pools: Record<string, RestoredPool> = {}
  for (const { pool, directory, unfinished } of places) {
    const token = crypto.randomUUID()
    await writeNew(join(unfinished, TOKEN_FILE), `${token}\n`)
    pools[pool.id] = { path: directory, token }
  }
  await markRestored(disks, pools)
}

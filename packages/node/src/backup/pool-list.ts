/**
 * The storage pools of real disks in a backup: a file beside the disks tells which of them are in
 * which pool. Versions that do not know it restore all disks into one directory.
 */
import type { KnownPool, KnownPools } from '@steading/control-plane'
import type { BackedUpFile, PoolFile } from '@steading/control-plane/ports'
import { MACHINES } from '../volumes/names.ts'
import { BadArchiveError } from './archive.ts'

/** The disks of real machines in a backup. */
export const DISKS = `${MACHINES}/volumes/`
const NAME = 'pools.json'
/** The list in a backup. */
export const POOL_LIST = `${DISKS}${NAME}`

export interface ListedPool extends KnownPool {
  /** Names of its disks' files; all others are in the first pool. */
  files: string[]
}

export interface PoolList extends KnownPools {
  others: ListedPool[]
}

/** The list for a backup. */
export function poolListFile(
  { first, others }: KnownPools,
  files: readonly PoolFile[],
): BackedUpFile {
  const inPools = Map.groupBy(files, ({ pool }) => pool)
  const list: PoolList = {
    first,
    others: others.map((pool) => ({
      ...pool,
      files: (inPools.get(pool.id) ?? []).map(({ name }) => name),
    })),
  }
  const bytes = Buffer.from(JSON.stringify(list))
  return {
    name: NAME,
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

const isListed = ({ id, name, path, files }: Partial<ListedPool>): boolean =>
  isText(id) &&
  isText(name) &&
  (path === null || isText(path)) &&
  Array.isArray(files) &&
  files.every(isText)

/** @throws BadArchiveError */
export function parsePoolList(text: string): PoolList {
  try {
    const list = JSON.parse(text) as PoolList
    if (isText(list.first) && list.others.every(isListed)) return list
  } catch {
    // It is refused below.
  }
  throw new BadArchiveError('its list of storage pools is not one of a backup')
}

/** Name of each pool → bytes of its disks, the first one first. */
export function bytesInPools(
  { first, others }: PoolList,
  sizes: ReadonlyMap<string, number>,
): Map<string, number> {
  const nameOf = new Map(others.flatMap(({ name, files }) => files.map((file) => [file, name])))
  const bytes = new Map([first, ...others.map(({ name }) => name)].map((name) => [name, 0]))
  for (const [path, size] of sizes) {
    if (!path.startsWith(DISKS)) continue
    const name = nameOf.get(path.slice(DISKS.length)) ?? first
    bytes.set(name, bytes.get(name)! + size)
  }
  return bytes
}

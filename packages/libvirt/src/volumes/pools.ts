/**
 * The directories of storage pools besides the first one. Each has a token, as the first one has: an
 * empty mount point is not taken for the file system that belongs there.
 */
import { dirname, join, resolve } from 'node:path'
import { storagePoolProblems } from '@steading/api/rules'
import type { Db, OpenDatabase } from '@steading/control-plane/engine'
import {
  EngineStartError,
  type ExaminedPool,
  type Log,
  type PoolExamination,
  type PoolHost,
  type PoolPlace,
  type StoragePools,
  UnusablePoolError,
} from '@steading/control-plane/ports'
import { errorCode, errorMessage, TOKEN_FILE } from '@steading/files'
import type { MountedPool, PoolMounts } from '../hosts/pool-mounts.ts'
import '../tables.ts'
import { type FileCalls, fileCalls } from '../file-systems/file-calls.ts'
import { type LayerFiles, type LayerPools, STAGE } from './layer-files.ts'
import { requireLocks } from './place.ts'
import { createGuardedCalls, type FileSystem } from '../file-systems/guarded-calls.ts'

const NO_POOL = 'There is no such storage pool'
/** Entries that a new file system may have. */
const UNTOUCHED = new Set(['lost+found', TOKEN_FILE])

/**
 * Why a directory is not that of a pool which has had its token; undefined if it is.
 * @param found the token there
 */
function tokenProblem(path: string, token: string, found: string | undefined): string | undefined {
  if (found === token) return undefined
  return storagePoolProblems[found === undefined ? 'notMounted' : 'ofOther'](path)
}

/** Looks at the directories of all pools besides the first one, which have had their tokens. */
export async function examinePools(db: Db): Promise<ExaminedPool[]> {
  const pools = await db.selectFrom('libvirt_pool').selectAll().where('made', '=', 1).execute()
  const calls = createGuardedCalls()
  const examine = async ({ path, token }: (typeof pools)[number]): Promise<ExaminedPool> => {
    const found = await calls.look(path)
    if (typeof found === 'string') return { path, problem: storagePoolProblems[found](path) }
    const problem = tokenProblem(path, token, await calls.in(path).token(path))
    return problem === undefined ? { path, free: found.free } : { path, problem }
  }
  try {
    return await Promise.all(
      pools.map((pool) =>
        examine(pool).catch((error: unknown) => ({
          path: pool.path,
          problem: storagePoolProblems.unusable(pool.path, errorMessage(error)),
        })),
      ),
    )
  } finally {
    calls.close()
  }
}

/** A host that mounts pools, and is asked whether it sees a file. */
export interface AskedHost extends PoolMounts {
  serial: string
  /** @param folder with few files */
  sees: (folder: string, name: string) => Promise<boolean>
}

interface Parts {
  database: OpenDatabase
  /** The first pool. */
  directory: string
  /** Whether that one may become silent as well: it is not on the disk of the server. */
  isGuarded?: boolean
  sockets: string
  files: Pick<LayerFiles, 'sweep'>
  /** Hosts besides that of the server. */
  hosts: () => Promise<AskedHost[]>
  /** The mounts on the host of the server, where it is no added one. */
  ownMounts?: PoolMounts
  /** Missing where pools are not removed. */
  log?: Log
}

export function createPools({
  database,
  directory,
  isGuarded = false,
  sockets,
  files,
  hosts,
  ownMounts,
  log,
}: Parts) {
  const { db } = database
  const calls = createGuardedCalls((path) => swept.delete(path))
  /** Directories that were swept since they were out of reach. */
  const swept = new Set<string>()

  const first = resolve(directory)
  const callsIn = (path: string): FileCalls =>
    resolve(path) === first && !isGuarded ? fileCalls : calls.in(path)

  const rowOf = (id: string) =>
    db.selectFrom('libvirt_pool').selectAll().where('id', '=', id).executeTakeFirst()

  /** Why the directory of a pool, or of one that is to be, cannot be used now. */
  async function problemOf({ id, path, mount }: PoolPlace): Promise<string | undefined> {
    const { find, requireAccess, token: tokenIn, names } = callsIn(path)
    const found = await find(path)
    // Only the root of a file system is on another device than the directory above.
    if (mount && found?.device === (await find(dirname(path)))?.device) {
      return storagePoolProblems.serverNotMounted(mount.source, path)
    }
    if (!found) return storagePoolProblems.missing(path)
    if (!found.isDirectory) return storagePoolProblems.unusable(path, 'it is not a directory')
    try {
      await requireAccess(path)
    } catch (error) {
      if (error instanceof UnusablePoolError) throw error
      return storagePoolProblems.unusable(path, errorMessage(error))
    }
    if (id === null) return undefined
    const [row, token] = [await rowOf(id), await tokenIn(path)]
    if (row?.made === 1) return tokenProblem(path, row.token, token)
    if (token !== undefined && token !== row?.token) return storagePoolProblems.ofOther(path)
    if ((await names(path)).some((name) => !UNTOUCHED.has(name))) {
      return storagePoolProblems.notEmpty(path)
    }
    return sharedWith(id, found.device)
  }

  /** Why a new pool would count the room of another one again. */
  async function sharedWith(id: string, device: number): Promise<string | undefined> {
    const others = await db
      .selectFrom('libvirt_pool')
      .select('path')
      .where('made', '=', 1)
      .where('id', '<>', id)
      .execute()
    for (const path of [directory, ...others.map((other) => other.path)]) {
      if (typeof (await calls.look(path)) === 'string') continue
      const found = await callsIn(path).find(path)
      if (found?.device === device) return storagePoolProblems.sameFileSystem(path)
    }
    return undefined
  }

  const isMounted = (place: PoolPlace): place is MountedPool =>
    place.mount !== undefined && place.id !== null

  /** The file system of a pool; the reason if the pool cannot be used now. */
  async function lookInto(place: PoolPlace): Promise<Exclude<FileSystem, string> | string> {
    const { path, mount } = place
    const found = await calls.look(path)
    if (found === 'missing' && mount) {
      return storagePoolProblems.serverNotMounted(mount.source, path)
    }
    if (typeof found === 'string') return storagePoolProblems[found](path)
    try {
      return (await problemOf(place)) ?? found
    } catch (error) {
      if (error instanceof UnusablePoolError) return error.message
      throw error
    }
  }

  /** @throws UnusablePoolError */
  async function requireUsable(place: PoolPlace): Promise<void> {
    const found = await lookInto(place)
    if (typeof found === 'string') throw new UnusablePoolError(found)
  }

  /** Has the host of the server mount a pool. @returns why it has not */
  const mountHere = async (place: PoolPlace): Promise<string | undefined> =>
    isMounted(place) ? ownMounts?.mount(place).then(() => undefined, errorMessage) : undefined

  /** Has the hosts mount a pool. @returns those that have not, with the reason */
  async function mountOn(asked: readonly AskedHost[], place: PoolPlace): Promise<PoolHost[]> {
    if (!isMounted(place)) return []
    const tried = asked.map(async ({ serial, mount }): Promise<PoolHost[]> => {
      try {
        await mount(place)
        return []
      } catch (error) {
        if (error instanceof UnusablePoolError) return [{ serial, problem: error.message }]
        return [{ serial, problem: storagePoolProblems.hostMissing(errorMessage(error)) }]
      }
    })
    return (await Promise.all(tried)).flat()
  }

  /** Asks hosts, by a file whose name nobody can guess. */
  async function ask(asked: readonly AskedHost[], path: string): Promise<PoolHost[]> {
    if (asked.length === 0) return []
    const folder = join(path, `check-${crypto.randomUUID()}`)
    const name = crypto.randomUUID()
    const { makeDirectory, touch, remove } = callsIn(path)
    await makeDirectory(folder, 0o711)
    try {
      await touch(join(folder, name))
      return await Promise.all(
        asked.map(async ({ serial, sees }) => {
          const problem = await sees(folder, name).then(
            (isSeen) => (isSeen ? undefined : storagePoolProblems.hostOther),
            (error: unknown) =>
              storagePoolProblems.hostMissing(errorMessage(error).replaceAll(folder, path)),
          )
          return { serial, ...(problem !== undefined && { problem }) }
        }),
      )
    } finally {
      await remove(folder)
    }
  }

  async function examine(place: PoolPlace): Promise<PoolExamination> {
    const { id, path } = place
    const unmounted = await mountHere(place)
    const asked = await hosts()
    const without = await mountOn(asked, place)
    const fileSystem = await lookInto(place)
    if (typeof fileSystem === 'string') {
      swept.delete(path)
      return { problem: unmounted ?? fileSystem, hosts: without }
    }
    // A directory that is no pool yet is not written to.
    const isPool = id === null || (await rowOf(id))?.made === 1
    const others = asked.filter((host) => without.every(({ serial }) => serial !== host.serial))
    return { ...fileSystem, hosts: isPool ? [...without, ...(await ask(others, path))] : without }
  }

  /** Removes what was deleted, or left by a crash, while the pool was out of reach. */
  async function sweep(id: string, path: string): Promise<void> {
    if (swept.has(path)) return
    await files.sweep(path, async () => {
      const rows = await db
        .selectFrom('libvirt_layer')
        .select('id')
        .where('pool_id', '=', id)
        .execute()
      return new Set(rows.map((row) => row.id))
    })
    swept.add(path)
  }

  async function add(place: PoolPlace & { id: string }): Promise<void> {
    const { id, path } = place
    await requireUsable(place)
    await db
      .insertInto('libvirt_pool')
      .values({ id, path, token: crypto.randomUUID(), made: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { token, made } = (await rowOf(id))!
    if (made === 0) {
      try {
        await requireLocks(path, sockets, calls.in(path))
      } catch (error) {
        if (!(error instanceof EngineStartError)) throw error
        throw new UnusablePoolError(error.message)
      }
      const { writeNew, token: tokenIn } = calls.in(path)
      await writeNew(join(path, TOKEN_FILE), `${token}\n`).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error
      })
      if ((await tokenIn(path)) !== token) {
        throw new UnusablePoolError(storagePoolProblems.ofOther(path))
      }
      await db.updateTable('libvirt_pool').set({ made: 1 }).where('id', '=', id).execute()
    }
    await sweep(id, path)
  }

  /** A host that is out of reach, or uses the file system, keeps the mount, which harms nothing. */
  async function unmount(place: PoolPlace & { id: string }): Promise<void> {
    if (!isMounted(place)) return
    const each = ownMounts ? [ownMounts] : await hosts()
    await Promise.all(
      each.map((host) =>
        host.unmount(place.id).catch((error: unknown) => {
          log?.(`the storage pool at ${place.path} stays mounted on a host`, error)
        }),
      ),
    )
  }

  return {
    /** Free bytes of the file system at the directory of a pool. @throws UnusablePoolError */
    async free(id: string): Promise<number> {
      const path = (await rowOf(id))?.path
      if (path === undefined) throw new UnusablePoolError(NO_POOL)
      return calls.in(path).free(path)
    },
    callsIn,
    read: calls.read,
    close: calls.close,
    /** The pools that have had their token. */
    async ids(): Promise<string[]> {
      const rows = await db.selectFrom('libvirt_pool').select('id').where('made', '=', 1).execute()
      return rows.map(({ id }) => id)
    },
    /**
     * The directory of a pool, if it is usable.
     * @throws UnusablePoolError
     */
    async directoryOf(id: string): Promise<string> {
      const row = await rowOf(id)
      if (!row) throw new UnusablePoolError(NO_POOL)
      await requireUsable(row)
      return row.path
    },
    port: {
      first: { type: 'directory', path: directory },
      examine,
      add,
      async remove(place) {
        const row = await rowOf(place.id)
        if (row?.made === 1 && typeof (await calls.look(row.path)) !== 'string') {
          const { token: tokenIn, remove } = calls.in(row.path)
          if ((await tokenIn(row.path)) === row.token) {
            await remove(join(row.path, TOKEN_FILE))
            await remove(join(row.path, STAGE))
          }
        }
        await unmount(place)
        await db.deleteFrom('libvirt_pool').where('id', '=', place.id).execute()
      },
    } satisfies Omit<StoragePools, 'move' | 'stay' | 'restore'>,
  } satisfies LayerPools & Record<string, unknown>
}

/**
 * The directories of storage pools besides the first one. Each has a token, as the first one has: an
 * empty mount point is not taken for the file system that belongs there.
 */
import { access, constants, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { storagePoolProblems } from '@steading/api/rules'
import type { OpenDatabase } from '@steading/control-plane/engine'
import {
  EngineStartError,
  type PoolExamination,
  type PoolHost,
  type PoolPlace,
  type StoragePools,
  UnusablePoolError,
} from '@steading/control-plane/ports'
import { errorCode, errorMessage, ifMissing, TOKEN_FILE, tokenIn, writeNew } from '@steading/files'
import '../tables.ts'
import type { LayerFiles } from './layer-files.ts'
import { requireLocks } from './place.ts'
import { ProgramError, runProgram } from './run-program.ts'

/** A file system that has not answered for this long is silent. Milliseconds. */
const SILENT_MS = 10_000
/** Entries that a new file system may have. */
const UNTOUCHED = new Set(['lost+found', TOKEN_FILE])

/** A host that is asked whether it sees a file. */
export interface AskedHost {
  serial: string
  /** @param folder with few files */
  sees: (folder: string, name: string) => Promise<boolean>
}

interface Parts {
  database: OpenDatabase
  /** The first pool. */
  directory: string
  sockets: string
  files: Pick<LayerFiles, 'sweep'>
  /** Hosts besides that of the server. */
  hosts: () => Promise<AskedHost[]>
}

/** The file system of a directory: size and free bytes, or that it does not answer. */
type FileSystem = { size: number; free: number } | 'missing' | 'silent'

export function createPools({ database, directory, sockets, files, hosts }: Parts) {
  const { db } = database
  /**
   * Looks that have not ended, and when each began: a process that waits for a dead file system
   * cannot be ended, so there is one for each.
   */
  const pending = new Map<string, { looking: Promise<FileSystem>; since: number }>()
  /** Pools whose directory was swept since it was out of reach. */
  const swept = new Set<string>()

  const rowOf = (id: string) =>
    db.selectFrom('libvirt_pool').selectAll().where('id', '=', id).executeTakeFirst()

  async function measure(path: string): Promise<FileSystem> {
    try {
      const args = ['--file-system', '--format=%S %b %a', '--', path]
      const text = await runProgram('stat', args, { timeout: SILENT_MS })
      const [block, blocks, available] = text.trim().split(' ').map(Number)
      return { size: block! * blocks!, free: block! * available! }
    } catch (error) {
      if (error instanceof ProgramError && error.errors !== '') return 'missing'
      return 'silent'
    }
  }

  /** Looks at a file system in a process of its own, because a dead one would hold up a thread. */
  async function look(path: string): Promise<FileSystem> {
    let begun = pending.get(path)
    if (!begun) {
      const looking = measure(path).finally(() => pending.delete(path))
      pending.set(path, (begun = { looking, since: performance.now() }))
    }
    const left = Math.max(0, begun.since + SILENT_MS - performance.now())
    const waiting = new AbortController()
    const found = await Promise.race([
      begun.looking,
      pause(left, 'silent' as const, { signal: waiting.signal }).catch(() => 'silent' as const),
    ])
    waiting.abort()
    return found
  }

  /** Why the directory of a pool, or of one that is to be, cannot be used now. */
  async function problemOf({ id, path }: PoolPlace): Promise<string | undefined> {
    const found = await stat(path)
    if (!found.isDirectory()) return storagePoolProblems.unusable(path, 'it is not a directory')
    try {
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      return storagePoolProblems.unusable(path, errorMessage(error))
    }
    if (id === null) return undefined
    const [row, token] = [await rowOf(id), await tokenIn(path)]
    if (token !== undefined && token !== row?.token) return storagePoolProblems.ofOther(path)
    if (token === undefined && row?.made === 1) return storagePoolProblems.notMounted(path)
    if (row?.made === 1) return undefined
    if ((await readdir(path)).some((name) => !UNTOUCHED.has(name))) {
      return storagePoolProblems.notEmpty(path)
    }
    return sharedWith(id, found.dev)
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
      if (typeof (await look(path)) === 'string') continue
      const found = await stat(path).catch(ifMissing(undefined))
      if (found?.dev === device) return storagePoolProblems.sameFileSystem(path)
    }
    return undefined
  }

  /** The file system of a pool; the reason if the pool cannot be used now. */
  async function lookInto(place: PoolPlace): Promise<Exclude<FileSystem, string> | string> {
    const found = await look(place.path)
    if (typeof found === 'string') return storagePoolProblems[found](place.path)
    return (await problemOf(place)) ?? found
  }

  /** @throws UnusablePoolError */
  async function requireUsable(place: PoolPlace): Promise<void> {
    const found = await lookInto(place)
    if (typeof found === 'string') throw new UnusablePoolError(found)
  }

  /** Asks the hosts, by a file whose name nobody can guess. */
  async function askHosts(path: string): Promise<PoolHost[]> {
    const asked = await hosts()
    if (asked.length === 0) return []
    const folder = join(path, `check-${crypto.randomUUID()}`)
    const name = crypto.randomUUID()
    await mkdir(folder, { mode: 0o711 })
    try {
      await writeFile(join(folder, name), '')
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
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function examine(place: PoolPlace): Promise<PoolExamination> {
    const { id, path } = place
    const fileSystem = await lookInto(place)
    if (typeof fileSystem === 'string') {
      if (id !== null) swept.delete(id)
      return { problem: fileSystem, hosts: [] }
    }
    // A directory that is no pool yet is not written to.
    const isPool = id === null || (await rowOf(id))?.made === 1
    return { ...fileSystem, hosts: isPool ? await askHosts(path) : [] }
  }

  /** Removes what was deleted, or left by a crash, while the pool was out of reach. */
  async function sweep(id: string, path: string): Promise<void> {
    if (swept.has(id)) return
    await files.sweep(path, async () => {
      const rows = await db
        .selectFrom('libvirt_layer')
        .select('id')
        .where('pool_id', '=', id)
        .execute()
      return new Set(rows.map((row) => row.id))
    })
    swept.add(id)
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
        await requireLocks(path, sockets)
      } catch (error) {
        if (!(error instanceof EngineStartError)) throw error
        throw new UnusablePoolError(error.message)
      }
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

  return {
    /**
     * The directory of a pool, if it is usable.
     * @throws UnusablePoolError
     */
    async directoryOf(id: string): Promise<string> {
      const row = await rowOf(id)
      if (!row) throw new UnusablePoolError('There is no such storage pool')
      await requireUsable(row)
      return row.path
    },
    port: {
      first: { type: 'directory', path: directory },
      examine,
      add,
      async remove(id) {
        const row = await rowOf(id)
        if (!row) return
        if (row.made === 1 && typeof (await look(row.path)) !== 'string') {
          if ((await tokenIn(row.path)) === row.token) {
            await rm(join(row.path, TOKEN_FILE), { force: true })
          }
        }
        await db.deleteFrom('libvirt_pool').where('id', '=', id).execute()
      },
    } satisfies Omit<StoragePools, 'move' | 'stay'>,
  }
}

/** Backups of disks in several storage pools, and their restore beside the database that goes on. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { MiB, storagePoolMessages, storagePoolProblems } from '@steading/api/rules'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  postgresToolsMissing,
  startPostgres,
} from '../../../control-plane/test/support/postgres.ts'
import { startSmallServer } from '../../../control-plane/test/support/small-server.ts'
import { blankDisk, until } from '../../../control-plane/test/support/things.ts'
import { writeArchive } from '../../../node/src/backup/archive.ts'
import { runBackup } from '../../../node/src/backup/backup.ts'
import { runRestore, runVerify } from '../../../node/src/backup/restore.ts'
import { defaultConfig, type ServerConfig } from '../../../node/src/config.ts'
import { runDoctor } from '../../../node/src/doctor/doctor.ts'
import { openPostgres } from '../../../node/src/postgres.ts'
import { runIn } from '../../../node/test/support/process.ts'
import { libvirtEngine } from '../../src/engine.ts'
import { createVolumesBackup } from '../../src/volumes/backup.ts'
import { mountedAt, silenceable, silenceMissing } from '../support/file-systems.ts'
import { openTestDatabase } from '../support/bytes.ts'
import { bytesOf, layerFilesIn, plain, volumesMissing } from '../support/volumes.ts'

const missing =
  process.getuid?.() === 0 ? await volumesMissing() : 'file systems are mounted by root only'
if (missing) console.warn(`The backups of storage pools are left out: ${missing}.`)
const unsilenceable = missing ?? silenceMissing()

const poolsPath = '/x/v1/system/storage-pools'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'steading-backup-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/**
 * A server over a data directory.
 * @param databaseUrl of a PostgreSQL database
 */
async function start(data: string, databaseUrl?: string) {
  const engine = libvirtEngine({ directory: join(data, 'libvirt'), answerMs: 1 })
  const database = databaseUrl === undefined ? {} : { database: await openPostgres(databaseUrl) }
  const server = await startSmallServer(join(data, 'steading.db'), engine, undefined, database)
  onTestFinished(server.stop)
  const { volumes } = server.controlPlane.engines
  const diskAt = (name: string) => `/v1/disks/${name}?project=work`
  return {
    ...server,
    volumes,
    config: { ...defaultConfig(), data, databaseUrl, engine: 'libvirt' as const },
    pool: (name: string) => server.call<Wire.StoragePool>('GET', `${poolsPath}/${name}`),
    /** Checks a pool again, and waits until it is as expected. */
    async checked(name: string, expected: Partial<Wire.StoragePool>): Promise<void> {
      await server.call('POST', `${poolsPath}/${name}/check`)
      await until(
        () => server.call<Wire.StoragePool>('GET', `${poolsPath}/${name}`),
        (pool) => expect(pool).toMatchObject(expected),
      )
    },
    /** Makes a pool of an empty directory. */
    async addPool(name: string, path: string): Promise<string> {
      const body = { name, description: '', type: 'directory', path }
      const { id } = await server.call<Wire.StoragePool>('POST', poolsPath, body)
      await until(
        () => server.call<Wire.StoragePool>('GET', `${poolsPath}/${name}`),
        ({ state }) => expect(state).toBe('healthy'),
      )
      return id
    },
    /** Makes a disk with bytes. */
    async addDisk(name: string, pool: string, seed: number, length = 512): Promise<string> {
      const path = `/x/v1/projects/work/storage-pools/${pool}/disks`
      await server.call('POST', path, blankDisk(name))
      const { id } = await until(
        () => server.call<Wire.Disk>('GET', diskAt(name)),
        ({ state }) => expect(state.state).toBe('detached'),
      )
      await volumes.write(id, 0, bytesOf(seed, length))
      return id
    },
    /** Takes a snapshot of a disk. */
    async snapshot(name: string, disk: string): Promise<string> {
      await server.call('POST', '/v1/snapshots?project=work', { name, description: '', disk })
      const { id } = await until(
        () => server.call<Wire.Snapshot>('GET', `/v1/snapshots/${name}?project=work`),
        ({ state }) => expect(state).toBe('ready'),
      )
      return id
    },
    /** Moves a disk to another pool. */
    async move(name: string, pool: string): Promise<void> {
      await server.call('POST', `/x/v1/disks/${name}/move?project=work`, { pool })
      await until(
        () => server.call<Wire.DiskStorage>('GET', `/x/v1/disks/${name}/storage?project=work`),
        (storage) => expect(storage).toMatchObject({ pool: { name: pool }, move: null }),
      )
    },
    bytes: async (id: string) => plain(await volumes.read(id, 0, 512)),
    storage: (name: string) =>
      server.call<Wire.DiskStorage>('GET', `/x/v1/disks/${name}/storage?project=work`),
  }
}

/**
 * An empty file system until the test ends.
 * @param at a directory; a new one by default
 */
async function emptyFileSystem(size = '4g', at?: string) {
  const { path, unmount } = mountedAt(at ?? (await folder()), size)
  let isMounted = true
  const leave = () => {
    if (isMounted) unmount()
    isMounted = false
  }
  onTestFinished(leave)
  return { path, unmount: leave }
}

/** A server with a pool on a file system of its own. */
async function startWithPool(databaseUrl?: string) {
  const data = await folder()
  const server = await start(data, databaseUrl)
  await server.call('POST', '/v1/projects', { name: 'work', description: '' })
  const { path, unmount } = await emptyFileSystem()
  const poolId = await server.addPool('fast', path)
  return { data, server, path, poolId, unmount }
}

/** Runs a command that prints, without its output. */
async function quietly<T>(command: () => Promise<T>): Promise<T> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    return await command()
  } finally {
    printed.mockRestore()
  }
}

test.skipIf(missing)('a restored database has all disks, and leaves the pools alone', async () => {
  const { data, server, path } = await startWithPool()
  const first = await server.addDisk('first', 'default', 1)
  const grain = await server.addDisk('grain', 'fast', 2)
  const harvest = await server.snapshot('harvest', 'grain')
  await server.volumes.write(grain, 0, bytesOf(3, 512))
  const file = join(await folder(), 'backup')
  await quietly(() => runBackup(server.config, file))
  await quietly(() => runVerify(file))
  for (const place of [path, join(data, 'libvirt/volumes')]) {
    expect(await readdir(place)).not.toContain('.backup')
  }
  // The original goes on: with what the backup has, and with more.
  await server.volumes.write(grain, 0, bytesOf(4, 512))
  const later = await server.addDisk('later', 'fast', 5)
  const there = (await readdir(path)).toSorted()

  const copy = await folder()
  await quietly(() => runRestore({ ...server.config, data: copy }, file))
  const restored = await start(copy)
  expect(await restored.bytes(first)).toEqual(bytesOf(1, 512))
  expect(await restored.bytes(grain)).toEqual(bytesOf(3, 512))
  expect(await restored.bytes(harvest)).toEqual(bytesOf(2, 512))
  expect((await restored.storage('grain')).pool.name).toBe('default')
  await restored.checked('fast', {
    state: 'unreachable',
    problem: storagePoolProblems.ofOther(path),
    disks: 0,
    provisioned: 0,
  })
  const { size } = await restored.call<Wire.Disk>('GET', '/v1/disks/grain?project=work')
  expect(await restored.pool('default')).toMatchObject({ disks: 2, provisioned: 2 * size })
  await restored.volumes.write(grain, 0, bytesOf(6, 512))
  // The next start adapts nothing again.
  await restored.stop()
  const again = await start(copy)
  expect(await again.bytes(grain)).toEqual(bytesOf(6, 512))

  expect((await readdir(path)).toSorted()).toEqual(there)
  await server.call('POST', `${poolsPath}/fast/check`)
  expect(await server.bytes(grain)).toEqual(bytesOf(4, 512))
  expect(await server.bytes(later)).toEqual(bytesOf(5, 512))
  expect((await server.pool('fast')).state).toBe('healthy')
})

test.skipIf(missing)('a restored database uses a new directory of a pool', async () => {
  const { server, path, unmount } = await startWithPool()
  const grain = await server.addDisk('grain', 'fast', 2)
  const file = join(await folder(), 'backup')
  await quietly(() => runBackup(server.config, file))
  await server.stop()
  unmount()
  // The machine is gone, and another one has an empty file system at the same path.
  const { path: fresh } = await emptyFileSystem()
  const copy = await folder()
  await quietly(() => runRestore({ ...server.config, data: copy }, file))
  const restored = await start(copy)
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
  expect(await readdir(path)).toEqual([])
  await restored.addPool('new', fresh)
  await restored.move('grain', 'new')
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
  expect(await layerFilesIn(fresh)).toHaveLength(1)
})

test.skipIf(missing)('what a killed backup left in a pool is removed by the next one', async () => {
  const { data, server, path } = await startWithPool()
  const grain = await server.addDisk('grain', 'fast', 2)
  // A kill keeps it from closing.
  const killed = createVolumesBackup(server.controlPlane.database, join(data, 'libvirt/volumes'), {
    stateOf: async () => 'off',
    switchDisks: async () => undefined,
  })
  await killed.prepare()
  expect(await killed.take()).toBe(true)
  expect(await readdir(path)).toContain('.backup')
  const file = join(await folder(), 'backup')
  await quietly(() => runBackup(server.config, file))
  expect(await readdir(path)).not.toContain('.backup')
  await server.volumes.write(grain, 0, bytesOf(3, 512))
  await server.call('DELETE', '/v1/disks/grain?project=work')
})

/** What a command prints. */
async function outputOf(command: () => Promise<unknown>): Promise<string> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await command()
    return printed.mock.calls.map(([line]) => String(line)).join('\n')
  } finally {
    printed.mockRestore()
  }
}

/** The line of the doctor about a pool. */
async function diagnosisOf(config: ServerConfig, path: string): Promise<string | undefined> {
  const output = await outputOf(() => runDoctor(() => config))
  return output.split('\n').find((line) => line.includes(`storage pool ${path}: `))
}

test.skipIf(missing)('a backup without a pool with disks fails, and says which', async () => {
  const { server, path, unmount } = await startWithPool()
  await server.addDisk('grain', 'fast', 2)
  expect(await diagnosisOf(server.config, path)).toMatch(/^ok .* MiB free$/)
  const keepFree = 2 ** 40
  expect(await diagnosisOf({ ...server.config, keepFree }, path)).toMatch(
    /^warning .* less than --keep-free/,
  )
  unmount()
  expect(await diagnosisOf(server.config, path)).toContain(storagePoolProblems.notMounted(path))
  const file = join(await folder(), 'backup')
  await expect(quietly(() => runBackup(server.config, file))).rejects.toThrow(
    storagePoolProblems.notMounted(path),
  )
  expect(existsSync(file)).toBe(false)
})

test.skipIf(missing)('a pool without disks may be away', async () => {
  const { server, unmount } = await startWithPool()
  await server.addDisk('first', 'default', 1)
  unmount()
  const file = join(await folder(), 'backup')
  await quietly(() => runBackup(server.config, file))
  await quietly(() => runVerify(file))
  expect(existsSync(file)).toBe(true)
})

test.skipIf(unsilenceable)('a backup of a silent pool fails, and says which', async () => {
  const data = await folder()
  const server = await start(data)
  await server.call('POST', '/v1/projects', { name: 'work', description: '' })
  const { path, silence, answer } = await silenceable(await folder())
  await server.addPool('fast', path)
  await server.addDisk('grain', 'fast', 2)
  silence()
  const file = join(await folder(), 'backup')
  await expect(quietly(() => runBackup(server.config, file))).rejects.toThrow(
    storagePoolProblems.silent(path),
  )
  expect(existsSync(file)).toBe(false)
  answer()
  await quietly(() => runBackup(server.config, file))
  await quietly(() => runVerify(file))
})

/** Names of the files of layers in a directory, without links to other directories. */
async function ownLayersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.qcow2'))
    .map((entry) => entry.name)
}

/** The databases of a server, and of one that is restored. */
const databases = {
  SQLite: { missing, urls: async () => [undefined, undefined] as const },
  PostgreSQL: {
    missing: missing ?? postgresToolsMissing(),
    urls: async () => {
      const { url, stop } = await startPostgres(await folder(), { withTools: true })
      onTestFinished(() => stop())
      const client = new Client({ connectionString: url })
      await client.connect()
      await client.query('create database restored')
      await client.end()
      return [url, url.replace(/postgres$/, 'restored')] as const
    },
  },
}

test.skipIf(databases.PostgreSQL.missing)(
  'a backup with the data directory of no server does not leave out the disks',
  async () => {
    const [url] = await databases.PostgreSQL.urls()
    const { server } = await startWithPool(url)
    await server.addDisk('first', 'default', 1)
    const data = await folder()
    const file = join(await folder(), 'backup')
    await expect(quietly(() => runBackup({ ...server.config, data }, file))).rejects.toThrow(
      `the disks of this database are not in ${join(data, 'libvirt', 'volumes')}`,
    )
    expect(existsSync(file)).toBe(false)
  },
)

for (const [name, { missing: lacking, urls }] of Object.entries(databases)) {
  test.skipIf(lacking)(`pools are restored into directories of their own, on ${name}`, async () => {
    const [url, otherUrl] = await urls()
    const { data, server, path, poolId, unmount } = await startWithPool(url)
    const large = await emptyFileSystem()
    await server.addPool('large', large.path)
    const first = await server.addDisk('first', 'default', 1)
    const grain = await server.addDisk('grain', 'fast', 2)
    const harvest = await server.snapshot('harvest', 'grain')
    await server.volumes.write(grain, 0, bytesOf(3, 512))
    // Its snapshot stays in the pool before.
    const flour = await server.addDisk('flour', 'large', 4)
    const ground = await server.snapshot('ground', 'flour')
    await server.move('flour', 'fast')
    await server.volumes.write(flour, 0, bytesOf(5, 512))
    // Its hosts mount it; nothing looks at it until the next minute.
    await server.controlPlane.database.db
      .updateTable('storage_pool')
      .set({ type: 'nfs', source: 'nas.example:/fast' })
      .where('id', '=', poolId)
      .execute()
    const file = join(await folder(), 'backup')
    await quietly(() => runBackup(server.config, file))
    expect(await outputOf(() => runVerify(file))).toContain(
      '; disks in storage pools: default 1 MiB, fast 1 MiB, large 1 MiB',
    )
    const inFast = await ownLayersIn(path)
    await server.stop()
    unmount()
    large.unmount()

    const fresh = await emptyFileSystem()
    const copy = await folder()
    const pools = new Map([['fast', fresh.path]])
    const config = { ...server.config, data: copy, databaseUrl: otherUrl, pools }
    await quietly(() => runRestore(config, file))
    expect((await ownLayersIn(fresh.path)).toSorted()).toEqual(inFast.toSorted())
    const directory = join(copy, 'libvirt/volumes')
    expect(await ownLayersIn(directory)).toHaveLength(2)
    expect(await readdir(directory)).not.toContain('pools.json')

    const restored = await start(copy, otherUrl)
    const all = [
      [first, 1],
      [grain, 3],
      [harvest, 2],
      [flour, 5],
      [ground, 4],
    ] as const
    for (const [id, seed] of all) expect(await restored.bytes(id)).toEqual(bytesOf(seed, 512))
    const { size } = await restored.call<Wire.Disk>('GET', '/v1/disks/grain?project=work')
    await restored.checked('fast', {
      id: poolId,
      type: 'directory',
      source: null,
      path: fresh.path,
      state: 'healthy',
      disks: 2,
      provisioned: 2 * size,
    })
    expect(await restored.pool('large')).toMatchObject({
      path: large.path,
      disks: 0,
      provisioned: 0,
    })
    expect(await restored.pool('default')).toMatchObject({ disks: 1, provisioned: size })
    for (const [disk, pool] of [
      ['first', 'default'],
      ['grain', 'fast'],
      ['flour', 'fast'],
    ] as const) {
      expect((await restored.storage(disk)).pool.name).toBe(pool)
    }
    // New layers are in the pool as well, and the next start adapts nothing again.
    await restored.snapshot('again', 'grain')
    await restored.volumes.write(grain, 0, bytesOf(6, 512))
    expect(await ownLayersIn(fresh.path)).toHaveLength(inFast.length + 1)
    await restored.stop()
    const next = await start(copy, otherUrl)
    expect(await next.bytes(grain)).toEqual(bytesOf(6, 512))
    expect((await next.storage('grain')).pool.name).toBe('fast')
    expect(await next.pool('fast')).toMatchObject({ path: fresh.path, disks: 2 })
    expect(await readdir(join(data, 'libvirt/volumes'))).toContain('token')
  })
}

/** A backup of two pools with a disk each, whose server and directories are gone. */
async function backedUp(length = 512) {
  const { server, path, unmount } = await startWithPool()
  const large = await emptyFileSystem()
  await server.addPool('large', large.path)
  const grain = await server.addDisk('grain', 'fast', 2, length)
  const flour = await server.addDisk('flour', 'large', 3)
  const file = join(await folder(), 'backup')
  await quietly(() => runBackup(server.config, file))
  await server.stop()
  const data = join(await folder(), 'restored')
  return {
    server,
    file,
    data,
    fast: { path, unmount },
    large,
    grain,
    flour,
    /** @param pools name → directory */
    restore: (pools: Record<string, string>, more: Partial<ServerConfig> = {}) =>
      quietly(() =>
        runRestore(
          { ...server.config, data, pools: new Map(Object.entries(pools)), ...more },
          file,
        ),
      ),
  }
}

test.skipIf(missing)('restored pools may change places', async () => {
  const { fast, large, restore, data, grain, flour } = await backedUp()
  fast.unmount()
  large.unmount()
  await emptyFileSystem('4g', fast.path)
  await emptyFileSystem('4g', large.path)
  await restore({ fast: large.path, large: fast.path })
  expect(await readdir(join(data, 'libvirt/volumes'))).toEqual(['restored', 'token'])
  // At the first start, one of them is not mounted.
  const cover = await emptyFileSystem('64m', large.path)
  const restored = await start(data)
  await restored.checked('fast', {
    state: 'unreachable',
    problem: storagePoolProblems.notMounted(large.path),
    disks: 1,
  })
  cover.unmount()
  for (const [name, path] of [
    ['fast', large.path],
    ['large', fast.path],
  ] as const) {
    await restored.checked(name, { path, state: 'healthy', disks: 1 })
  }
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
  expect(await restored.bytes(flour)).toEqual(bytesOf(3, 512))
})

test.skipIf(missing)(
  'a restore into wrong directories is refused, and writes nothing',
  async () => {
    const { file, data, fast, large, restore } = await backedUp()
    const { path: fresh } = await emptyFileSystem()
    const refused = (
      pools: Record<string, string>,
      problem: string,
      more?: Partial<ServerConfig>,
    ): Promise<void> => expect(restore(pools, more)).rejects.toThrow(problem)
    await refused({ slow: fresh }, 'the backup has no storage pool slow, but fast, large')
    await refused({ default: fresh }, 'storage pool default is the first one')

    const none = join(fresh, 'none')
    await refused({ fast: none }, storagePoolProblems.missing(none))
    await refused({ fast: file }, 'it is not a directory')
    // The directories of the database that goes on.
    await refused({ fast: fast.path }, storagePoolProblems.ofOther(fast.path))
    await refused({ fast: large.path }, storagePoolProblems.ofOther(large.path))
    const full = join(fresh, 'full')
    await mkdir(join(full, 'mine'), { recursive: true })
    await refused({ fast: full }, storagePoolProblems.notEmpty(full))

    const beside = await folder()
    await refused({ fast: beside }, storagePoolProblems.sameFileSystem(data))
    const [one, other] = [join(fresh, 'one'), join(fresh, 'other')]
    for (const path of [one, other]) await mkdir(path)
    await refused({ fast: one, large: other }, storagePoolProblems.sameFileSystem(one))
    await refused({ fast: one }, storagePoolProblems.sameFileSystem(other), {
      libvirtVolumes: other,
    })
    // A pool that is not named still has its path.
    large.unmount()
    await emptyFileSystem('4g', large.path)
    await refused({ fast: large.path }, storagePoolMessages.pathTaken(large.path, 'large'))

    for (const path of [beside, one, other, large.path]) expect(await readdir(path)).toEqual([])
    expect(existsSync(data)).toBe(false)
    expect(await readdir(join(data, '..'))).toEqual([])
    // With the right directory it is restored.
    await restore({ fast: one })
    expect(await ownLayersIn(one)).toHaveLength(1)
  },
)

test.skipIf(missing)('a restore that fails leaves nothing behind', async () => {
  const { data, restore, grain } = await backedUp(MiB)
  const small = await emptyFileSystem('512k')
  await expect(restore({ fast: small.path })).rejects.toThrow(
    `there is too little room in ${small.path}: 2 MiB are needed, and 0 MiB are free`,
  )
  // It could compress them.
  await expect(restore({ fast: small.path }, { ignoreRoom: true })).rejects.toThrow('ENOSPC')
  // One that says too little beforehand: it has room, but not for files.
  const fewFiles = await emptyFileSystem('4g,nr_inodes=3')
  const { path: fresh } = await emptyFileSystem()
  await expect(restore({ fast: fewFiles.path, large: fresh })).rejects.toThrow('ENOSPC')
  for (const path of [small.path, fewFiles.path, fresh, join(data, '..')]) {
    expect(await readdir(path)).toEqual([])
  }
  // A mount point cannot be replaced, which is noticed at the end.
  const { path: mountPoint } = await emptyFileSystem()
  await expect(restore({ fast: fresh }, { data: mountPoint })).rejects.toThrow('EBUSY')
  expect(await readdir(fresh)).toEqual([])
  await restore({ fast: fresh })
  const restored = await start(data)
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
})

const untraceable =
  missing ?? (spawnSync('strace', ['-V']).status === 0 ? undefined : 'strace is not installed')

test.skipIf(untraceable)('a restore that is killed is never taken for a whole one', async () => {
  const { file, data, restore, grain, flour } = await backedUp(MiB)
  const [{ path: fast }, { path: large }] = [await emptyFileSystem(), await emptyFileSystem()]
  const options = ['--data', data, '--pool', `fast=${fast}`, '--pool', `large=${large}`]
  /** Restores with a look at its calls to the operating system. */
  const traced = async (call: string, log: string, ...more: string[]) => {
    const around = ['strace', '-f', '-qq', '-o', log, '-e', `trace=${call}`, ...more]
    // strace counts the calls of each thread.
    const env = { UV_THREADPOOL_SIZE: '1' }
    return runIn(around, ['restore', file, ...options], env)
  }
  /** Kills a restore at one of its calls. */
  const kill = async (call: string, at: number): Promise<void> => {
    const inject = `inject=${call}:signal=SIGKILL:when=${at}`
    expect((await traced(call, '/dev/null', '-e', inject)).stdout).toBe('')
    expect(existsSync(data)).toBe(false)
  }
  const clear = async (path: string) => {
    for (const name of await readdir(path)) await rm(join(path, name), { recursive: true })
  }
  const log = join(await folder(), 'log')
  expect(await traced('rename', log)).toMatchObject({ code: 0, stderr: '' })
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('rename('))
  /** Which rename of its thread has a target. */
  const renameTo = (target: string): number => {
    const found = lines.findIndex((line) => line.includes(target))
    const [thread] = lines[found]!.split(' ')
    return lines.slice(0, found + 1).filter((line) => line.startsWith(`${thread} `)).length
  }
  const [isInFast, isWhole] = [renameTo(`"${large}/`), renameTo(`"${data}"`)]
  for (const path of [fast, large]) await clear(path)
  await rm(data, { recursive: true })

  // While the disks are written, it can be repeated.
  await kill('fsync', 4)
  expect(await readdir(fast)).toEqual(['.unfinished'])
  const { path: small } = await emptyFileSystem('512k')
  await expect(restore({ fast: small })).rejects.toThrow(
    /; remove \S+\/restored\.\S+\.unfinished, unless a restore goes on$/,
  )
  // Afterwards, it says what to remove.
  for (const [at, filled] of [
    [isInFast, [fast]],
    [isWhole, [fast, large]],
  ] as const) {
    await kill('rename', at)
    for (const path of filled) {
      expect(await readdir(path)).toHaveLength(2)
      await expect(restore({ fast, large })).rejects.toThrow(
        `${storagePoolProblems.ofOther(path)}; if a restore into it was cut off, remove what it has left there`,
      )
      await clear(path)
    }
  }
  await restore({ fast, large })
  const restored = await start(data)
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
  expect(await restored.bytes(flour)).toEqual(bytesOf(3, 512))
  expect((await restored.storage('grain')).pool.name).toBe('fast')
  expect(await readdir(fast)).not.toContain('.unfinished')
})

test.skipIf(missing)(
  'a backup that does not tell its pools is restored into the first one',
  async () => {
    const { server, file, data, restore, grain, flour } = await backedUp()
    // As an earlier version made it.
    const content = join(await folder(), 'content')
    const disks = join(content, 'libvirt/volumes')
    await mkdir(disks, { recursive: true })
    await cp(join(server.config.data, 'steading.db'), join(content, 'steading.db'))
    const layers = join(server.config.data, 'libvirt/volumes')
    for (const name of await readdir(layers)) {
      if (name !== 'sockets') await cp(join(layers, name), join(disks, name), { dereference: true })
    }
    await rm(file)
    const description = { database: 'sqlite', time: new Date().toISOString() } as const
    await writeArchive(file, [{ directory: content }], description)
    const { path } = await emptyFileSystem()
    await expect(restore({ fast: path })).rejects.toThrow(
      'the backup does not tell the storage pools of its disks',
    )
    await restore({})
    const restored = await start(data)
    expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
    expect(await restored.bytes(flour)).toEqual(bytesOf(3, 512))
    expect((await restored.storage('grain')).pool.name).toBe('default')
  },
)

test.skipIf(missing)('the move of a disk ends where its bytes are restored', async () => {
  const { data, server } = await startWithPool()
  const large = await emptyFileSystem()
  const largeId = await server.addPool('large', large.path)
  const grain = await server.addDisk('grain', 'fast', 2)
  const { size } = await server.call<Wire.Disk>('GET', '/v1/disks/grain?project=work')
  // The bytes have arrived, and the server ends before it has written that.
  const { storagePools } = server.controlPlane.engines
  await until(
    () => storagePools.move(grain, largeId),
    ({ done }) => expect(done).toBe(true),
  )
  await server.stop()
  const { db, close } = await openTestDatabase(data)
  await db
    .insertInto('disk_move')
    .values({ disk_id: grain, storage_pool_id: largeId, percent: 1, problem: null, cancelled: 0 })
    .execute()
  await db.updateTable('storage_pool').set({ used: size }).where('id', '=', largeId).execute()
  await db
    .updateTable('disk')
    .set({ state: 'maintenance', reconcile_at: new Date().toISOString() })
    .where('id', '=', grain)
    .execute()
  await close()

  const file = join(await folder(), 'backup')
  await quietly(() => runBackup(server.config, file))
  const { path: fresh } = await emptyFileSystem()
  const copy = await folder()
  const pools = new Map([['fast', fresh]])
  await quietly(() => runRestore({ ...server.config, data: copy, pools }, file))
  const restored = await start(copy)
  await until(
    () => restored.storage('grain'),
    (storage) => expect(storage).toMatchObject({ pool: { name: 'default' }, move: null }),
  )
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
  expect(await restored.pool('default')).toMatchObject({ disks: 1, provisioned: size })
  for (const name of ['fast', 'large']) {
    expect(await restored.pool(name)).toMatchObject({ disks: 0, provisioned: 0 })
  }
})

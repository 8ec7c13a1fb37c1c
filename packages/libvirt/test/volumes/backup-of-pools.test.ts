/** Backups of disks in several storage pools, and their restore beside the database that goes on. */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { storagePoolProblems } from '@steading/api/rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSmallServer } from '../../../control-plane/test/support/small-server.ts'
import { blankDisk, until } from '../../../control-plane/test/support/things.ts'
import { runBackup } from '../../../node/src/backup/backup.ts'
import { runRestore, runVerify } from '../../../node/src/backup/restore.ts'
import { defaultConfig, type ServerConfig } from '../../../node/src/config.ts'
import { runDoctor } from '../../../node/src/doctor/doctor.ts'
import { libvirtEngine } from '../../src/engine.ts'
import { createVolumesBackup } from '../../src/volumes/backup.ts'
import { mounted, silenceable, silenceMissing } from '../support/file-systems.ts'
import { bytesOf, layerFilesIn, plain, volumesMissing } from '../support/volumes.ts'

const missing =
  process.getuid?.() === 0 ? await volumesMissing() : 'file systems are mounted by root only'
if (missing) console.warn(`The backups of storage pools are left out: ${missing}.`)
const unsilenceable = missing ?? silenceMissing()

const pools = '/x/v1/system/storage-pools'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'steading-backup-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** A server over a data directory. */
async function start(data: string) {
  const engine = libvirtEngine({ directory: join(data, 'libvirt'), answerMs: 1 })
  const server = await startSmallServer(join(data, 'steading.db'), engine)
  onTestFinished(server.stop)
  const { volumes } = server.controlPlane.engines
  const diskAt = (name: string) => `/v1/disks/${name}?project=work`
  return {
    ...server,
    volumes,
    config: { ...defaultConfig(), data, engine: 'libvirt' as const },
    pool: (name: string) => server.call<Wire.StoragePool>('GET', `${pools}/${name}`),
    /** Makes a pool of an empty directory. */
    async addPool(name: string, path: string): Promise<string> {
      const body = { name, description: '', type: 'directory', path }
      const { id } = await server.call<Wire.StoragePool>('POST', pools, body)
      await until(
        () => server.call<Wire.StoragePool>('GET', `${pools}/${name}`),
        ({ state }) => expect(state).toBe('healthy'),
      )
      return id
    },
    /** Makes a disk with bytes. */
    async addDisk(name: string, pool: string, seed: number): Promise<string> {
      const path = `/x/v1/projects/work/storage-pools/${pool}/disks`
      await server.call('POST', path, blankDisk(name))
      const { id } = await until(
        () => server.call<Wire.Disk>('GET', diskAt(name)),
        ({ state }) => expect(state.state).toBe('detached'),
      )
      await volumes.write(id, 0, bytesOf(seed, 512))
      return id
    },
    bytes: async (id: string) => plain(await volumes.read(id, 0, 512)),
    storage: (name: string) =>
      server.call<Wire.DiskStorage>('GET', `/x/v1/disks/${name}/storage?project=work`),
  }
}

/** A server with a pool on a file system of its own. */
async function startWithPool() {
  const data = await folder()
  const server = await start(data)
  await server.call('POST', '/v1/projects', { name: 'work', description: '' })
  const { path, unmount } = await mounted(await folder(), '4g')
  let isMounted = true
  const leave = () => {
    if (isMounted) unmount()
    isMounted = false
  }
  onTestFinished(leave)
  const poolId = await server.addPool('fast', path)
  return { data, server, path, poolId, unmount: leave }
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
  await server.call('POST', '/v1/snapshots?project=work', {
    name: 'harvest',
    description: '',
    disk: 'grain',
  })
  const { id: harvest } = await until(
    () => server.call<Wire.Snapshot>('GET', '/v1/snapshots/harvest?project=work'),
    ({ state }) => expect(state).toBe('ready'),
  )
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
  await restored.call('POST', `${pools}/fast/check`)
  await until(
    () => restored.pool('fast'),
    (pool) =>
      expect(pool).toMatchObject({
        state: 'unreachable',
        problem: storagePoolProblems.ofOther(path),
        disks: 0,
        provisioned: 0,
      }),
  )
  const { size } = await restored.call<Wire.Disk>('GET', '/v1/disks/grain?project=work')
  expect(await restored.pool('default')).toMatchObject({ disks: 2, provisioned: 2 * size })
  await restored.volumes.write(grain, 0, bytesOf(6, 512))
  // The next start adapts nothing again.
  await restored.stop()
  const again = await start(copy)
  expect(await again.bytes(grain)).toEqual(bytesOf(6, 512))

  expect((await readdir(path)).toSorted()).toEqual(there)
  await server.call('POST', `${pools}/fast/check`)
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
  const { path: fresh, unmount: unmountFresh } = await mounted(await folder(), '4g')
  onTestFinished(unmountFresh)
  const copy = await folder()
  await quietly(() => runRestore({ ...server.config, data: copy }, file))
  const restored = await start(copy)
  expect(await restored.bytes(grain)).toEqual(bytesOf(2, 512))
  expect(await readdir(path)).toEqual([])
  await restored.addPool('new', fresh)
  await restored.call('POST', '/x/v1/disks/grain/move?project=work', { pool: 'new' })
  await until(
    () => restored.storage('grain'),
    (storage) => expect(storage).toMatchObject({ pool: { name: 'new' }, move: null }),
  )
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

/** The line of the doctor about a pool. */
async function diagnosisOf(config: ServerConfig, path: string): Promise<string | undefined> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runDoctor(() => config)
    const lines = printed.mock.calls.map(([line]) => String(line))
    return lines.find((line) => line.includes(`storage pool ${path}: `))
  } finally {
    printed.mockRestore()
  }
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

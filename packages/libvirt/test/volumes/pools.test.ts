/** Storage pools in directories of other file systems: the conformance tests, mounts and kills. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { storagePoolProblems } from '@steading/api/rules'
import { NoSpaceError, UnusablePoolError } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { poolsConform } from '../../../control-plane/test/conformance/engines.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { mounted } from '../support/file-systems.ts'
import {
  bytesOf,
  layerFilesIn,
  plain,
  startVolumes,
  type TestVolumes,
  volumesMissing,
} from '../support/volumes.ts'

const missing =
  process.getuid?.() === 0 ? await volumesMissing() : 'file systems are mounted by root only'
if (missing) console.warn(`The tests of storage pools are left out: ${missing}.`)

const MiB = 1024 * 1024
const spec = { size: MiB, blockSize: 512 }
const kills = Number(process.env.KILLS ?? 2)
/** Ends a test of many kills that hangs. */
const patience = { timeout: 1_800_000 }

/** A file system until the test ends. */
async function forTest(size?: string): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'steading-pools-'))
  const { path, unmount } = await mounted(data, size)
  onTestFinished(async () => {
    unmount()
    await rm(data, { recursive: true, force: true })
  })
  return path
}

describe.skipIf(missing)('storage pools', () => {
  let host: TestVolumes
  const file: { path: string; unmount: () => unknown }[] = []
  let unused: string[]
  beforeAll(async () => {
    host = await startVolumes()
    for (let n = 0; n < 6; n++) file.push(await mounted(host.data))
    unused = file.map(({ path }) => path)
  })
  afterAll(async () => {
    await host.volumes.close()
    for (const { unmount } of file) unmount()
    await host.database.close()
    await rm(host.data, { recursive: true, force: true })
  })

  poolsConform(() => ({
    volumes: host.volumes,
    storagePools: host.volumes.storagePools,
    directories: () => unused.pop()!,
    unusable: join(host.data, 'nowhere'),
  }))

  test('a pool answers several questions at the same time', async () => {
    const { storagePools } = host.volumes
    const place = { id: crypto.randomUUID(), path: await forTest() }
    await storagePools.add(place)
    const examined = await Promise.all([1, 2, 3].map(() => storagePools.examine(place)))
    expect(examined.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
  })

  test('says why a directory cannot be a pool', async () => {
    const { storagePools } = host.volumes
    const path = await forTest()
    const place = { id: crypto.randomUUID(), path }
    await writeFile(join(path, 'notes'), '')
    expect((await storagePools.examine(place)).problem).toBe(storagePoolProblems.notEmpty(path))
    await rm(join(path, 'notes'))
    await mkdir(join(path, 'one'))
    await mkdir(join(path, 'other'))
    const one = { id: crypto.randomUUID(), path: join(path, 'one') }
    await storagePools.add(one)
    const other = { id: crypto.randomUUID(), path: join(path, 'other') }
    expect((await storagePools.examine(other)).problem).toBe(
      storagePoolProblems.sameFileSystem(one.path),
    )
    // Two databases never share a directory.
    const stranger = await startVolumes()
    onTestFinished(() => stranger.remove())
    const again = { id: crypto.randomUUID(), path: one.path }
    expect((await stranger.volumes.storagePools.examine(again)).problem).toBe(
      storagePoolProblems.ofOther(one.path),
    )
    await expect(stranger.volumes.storagePools.add(again)).rejects.toThrow(UnusablePoolError)
    await storagePools.remove(one)
    expect(await readdir(one.path)).toEqual([])
  })

  test('a pool that is not mounted is not written to, and is cleaned up when it is back', async () => {
    const place = await startVolumes()
    onTestFinished(() => place.remove())
    const { volumes, directory } = place
    const { path, unmount } = await mounted(place.data)
    const mount = ['--bind', path, await mkdtemp(join(place.data, 'kept-'))] as const
    execFileSync('mount', mount)
    onTestFinished(() => void execFileSync('umount', ['-l', mount[2]]))
    const pool = crypto.randomUUID()
    await volumes.storagePools.add({ id: pool, path })
    const [kept, deleted] = [crypto.randomUUID(), crypto.randomUUID()]
    for (const id of [kept, deleted]) {
      await volumes.create(id, { ...spec, pool })
      await volumes.write(id, 0, bytesOf(1, 512))
    }
    unmount()
    expect((await volumes.storagePools.examine({ id: pool, path })).problem).toBe(
      storagePoolProblems.notMounted(path),
    )
    await expect(volumes.create(crypto.randomUUID(), { ...spec, pool })).rejects.toThrow(
      UnusablePoolError,
    )
    await volumes.delete(deleted)
    expect(await readdir(path)).toEqual([])
    // The next server starts without it.
    const another = await place.another()
    expect(await layerFilesIn(directory)).toHaveLength(1)
    await another.close()
    execFileSync('mount', ['--bind', mount[2], path])
    onTestFinished(() => void execFileSync('umount', ['-l', path]))
    expect((await volumes.storagePools.examine({ id: pool, path })).problem).toBeUndefined()
    await volumes.storagePools.add({ id: pool, path })
    expect(plain(await volumes.read(kept, 0, 512))).toEqual(bytesOf(1, 512))
    await volumes.delete(kept)
    expect(await layerFilesIn(path)).toEqual([])
  })

  test('a volume does not move to a pool without room', async () => {
    const place = await startVolumes()
    onTestFinished(() => place.remove())
    const { volumes } = place
    const path = await forTest('2m')
    const pool = crypto.randomUUID()
    await volumes.storagePools.add({ id: pool, path })
    const id = crypto.randomUUID()
    await volumes.create(id, { size: 4 * MiB, blockSize: 512 })
    for (let piece = 0; piece < 4; piece++) await volumes.write(id, piece * MiB, bytesOf(2, MiB))
    const attempt = async () => {
      while (!(await volumes.storagePools.move(id, pool)).done);
    }
    await expect(attempt()).rejects.toThrow(NoSpaceError)
    expect(await volumes.storagePools.stay(id, null)).toBe(true)
    expect(await layerFilesIn(path)).toEqual([])
    expect(plain(await volumes.read(id, 0, MiB))).toEqual(bytesOf(2, MiB))
  })

  test('writes and moves leave room free in each pool', async () => {
    const place = await startVolumes({ keepFree: MiB })
    onTestFinished(() => place.remove())
    const { volumes } = place
    const path = await forTest('2m')
    const pool = crypto.randomUUID()
    await volumes.storagePools.add({ id: pool, path })
    const [first, inPool] = [crypto.randomUUID(), crypto.randomUUID()]
    await volumes.create(first, spec)
    await volumes.create(inPool, { ...spec, pool })
    await volumes.write(inPool, 0, bytesOf(1, 512))
    await expect(volumes.write(inPool, 0, bytesOf(2, MiB))).rejects.toThrow(NoSpaceError)
    expect(plain(await volumes.read(inPool, 0, 512))).toEqual(bytesOf(1, 512))
    expect(await volumes.roomFor([inPool])).toBeLessThan(MiB)
    await volumes.write(first, 0, bytesOf(2, MiB))
    expect(await volumes.roomFor([first])).toBeGreaterThan(MiB)
    const attempt = async () => {
      while (!(await volumes.storagePools.move(first, pool)).done);
    }
    await expect(attempt()).rejects.toThrow(NoSpaceError)
  })

  test('a killed server leaves each moving volume in one pool @long', patience, async () => {
    const data = await mkdtemp(join(tmpdir(), 'steading-pools-'))
    const { path, unmount } = await mounted(data)
    const pool = crypto.randomUUID()
    const seeds = new Map<string, number>()
    onTestFinished(async () => {
      unmount()
      await rm(data, { recursive: true, force: true })
    })
    const first = await startVolumes({}, { data })
    await first.volumes.storagePools.add({ id: pool, path })
    await first.close()
    const victim = join(import.meta.dirname, '../support/moving-victim.ts')
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [victim, data, pool, String(kill)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close')
      const changes = 2 + Math.floor(random() * 5)
      let seen = 0
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { volume, seed } = JSON.parse(line) as { volume: string; seed: number }
        seeds.set(volume, seed)
        if (++seen === changes) setTimeout(() => child.kill('SIGKILL'), random() * 60)
      })
      await ended
      expect(child.signalCode).toBe('SIGKILL')
      const next = await startVolumes({}, { data })
      await next.volumes.storagePools.add({ id: pool, path })
      for (const [id, seed] of seeds) {
        const inPool = await next.volumes.storagePools.stay(id, pool)
        expect(await next.volumes.storagePools.stay(id, null)).toBe(!inPool)
        expect(plain(await next.volumes.read(id, 0, 512))).toEqual(bytesOf(seed, 512))
      }
      for (const id of await next.volumes.list()) {
        if (!seeds.has(id)) await next.volumes.delete(id)
      }
      await next.volumes.settled()
      const layers = await next.database.db.selectFrom('libvirt_layer').selectAll().execute()
      const names = (some: typeof layers) => some.map(({ id }) => `${id}.qcow2`).toSorted()
      expect(await layerFilesIn(next.directory)).toEqual(names(layers))
      expect(await layerFilesIn(path)).toEqual(
        names(layers.filter(({ pool_id }) => pool_id === pool)),
      )
      await next.close()
    }
  })
})

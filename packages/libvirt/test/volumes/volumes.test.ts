/** Volumes in qcow2 files: chains, guests, damage, and what an operator has to know. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskInUse, diskSilent, type SnapshotConsistencyName } from '@steading/api/rules'
import { ApiError, type OpenDatabase } from '@steading/control-plane/engine'
import { NoSpaceError } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { nbdLimits } from '../../src/native/nbd.ts'
import { createVolumesBackup } from '../../src/volumes/backup.ts'
import { CHAIN_MAX } from '../../src/volumes/flatten.ts'
import { startGuest } from '../support/block-guest.ts'
import {
  bytesOf,
  layerFilesIn,
  plain,
  processesOn,
  startVolumes,
  type TestVolumes,
  volumesMissing,
} from '../support/volumes.ts'
import { fill } from '../support/fill.ts'

const MiB = 1024 * 1024
const BLOCK = 64 * 1024
const never = async () => {}

const rowOf = ({ db }: OpenDatabase, volume: string) =>
  db.selectFrom('libvirt_volume').selectAll().where('id', '=', volume).executeTakeFirstOrThrow()

const missing = await volumesMissing()

describe.skipIf(missing)('volumes in qcow2 files', () => {
  let host: TestVolumes
  beforeAll(async () => {
    host = await startVolumes()
  })
  afterAll(() => host.remove())

  const create = async (size = MiB, source?: string): Promise<string> => {
    const id = crypto.randomUUID()
    await host.volumes.create(id, { size, blockSize: 512, source })
    return id
  }
  const snapshot = async (volume: string): Promise<string> => {
    const id = crypto.randomUUID()
    await host.volumes.createSnapshot(id, volume)
    return id
  }
  const read = async (id: string, offset = 0, length = MiB) =>
    plain(await host.volumes.read(id, offset, length))
  const layerOf = async (id: string): Promise<string> => {
    const { layer_id: layer } = await host.database.db
      .selectFrom('libvirt_volume')
      .select('layer_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return join(host.directory, `${layer}.qcow2`)
  }

  test('a process whose socket has a name before it takes connections is waited for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'steading-path-'))
    const path = process.env.PATH
    onTestFinished(async () => {
      process.env.PATH = path
      await rm(folder, { recursive: true, force: true })
    })
    const real = execFileSync('which', ['qemu-nbd']).toString().trim()
    const script = `#!/bin/sh
for argument; do
  case "$argument" in --socket=/proc/self/cwd/*) : >"\${argument#--socket=/proc/self/cwd/}" ;; esac
done
sleep 0.3
exec ${real} "$@"
`
    await writeFile(join(folder, 'qemu-nbd'), script, { mode: 0o755 })
    const id = await create()
    process.env.PATH = `${folder}:${path}`
    expect(await read(id, 0, 512)).toEqual(new Uint8Array(512))
  })

  test(
    'chains of many snapshots stay short and read the same @long',
    { timeout: 600_000 },
    async () => {
      const before = await layerFilesIn(host.directory)
      const volume = await create()
      const content = new Uint8Array(MiB)
      const taken: { id: string; content: Uint8Array }[] = []
      for (let round = 0; round < 50; round++) {
        const data = bytesOf(round, BLOCK + 512)
        const offset = (round * 7 * 512) % (MiB - data.length)
        await host.volumes.write(volume, offset, data)
        content.set(data, offset)
        taken.push({ id: await snapshot(volume), content: content.slice() })
      }
      for (const { id, content } of taken.filter((_, index) => index % 7 === 0)) {
        expect(await read(id)).toEqual(content)
      }
      await host.volumes.settled()
      for (const { id, content } of taken) expect(await read(id)).toEqual(content)
      expect(await read(volume)).toEqual(content)
      const depth = new Map<string, number>()
      const rows = await host.database.db.selectFrom('libvirt_layer').selectAll().execute()
      const parents = new Map(rows.map((row) => [row.id, row.parent_id]))
      const depthOf = (id: string | null): number =>
        id === null ? 0 : (depth.get(id) ?? 1 + depthOf(parents.get(id) ?? null))
      for (const { id } of rows) depth.set(id, depthOf(id))
      expect(Math.max(...depth.values())).toBeLessThanOrEqual(CHAIN_MAX)
      // The chain in the files is that of the rows.
      const info = JSON.parse(
        execFileSync(
          'qemu-img',
          ['info', '--backing-chain', '-U', '--output=json', await layerOf(taken.at(-1)!.id)],
          { encoding: 'utf8' },
        ),
      ) as unknown[]
      expect(info.length).toBe(depth.get((await layerOf(taken.at(-1)!.id)).slice(-42, -6)))

      for (const { id } of taken) await host.volumes.deleteSnapshot(id)
      expect(await read(volume)).toEqual(content)
      await host.volumes.delete(volume)
      expect(await layerFilesIn(host.directory)).toEqual(before)
    },
  )

  test('a volume of a volume begins with its bytes, and neither changes the other', async () => {
    const first = await create()
    await host.volumes.write(first, 0, bytesOf(1, 512))
    const second = await create(2 * MiB, first)
    await host.volumes.write(first, 0, bytesOf(2, 512))
    await host.volumes.write(second, 512, bytesOf(3, 512))
    expect(await read(second, 0, 512)).toEqual(bytesOf(1, 512))
    expect(await read(first, 512, 512)).toEqual(new Uint8Array(512))
    expect(await read(second, 2 * MiB - 512, 512)).toEqual(new Uint8Array(512))
    expect(await host.volumes.listSnapshots()).toEqual([])
    await host.volumes.delete(first)
    await host.volumes.delete(second)
  })

  test('only the owner can read the files', async () => {
    const id = await create()
    expect((await stat(await layerOf(id))).mode & 0o777).toBe(0o600)
    expect((await stat(host.directory)).mode & 0o777).toBe(0o700)
    await host.volumes.delete(id)
  })

  test('a volume that is attached is left to its machine', async () => {
    const id = await create()
    await host.volumes.write(id, 0, bytesOf(1, 512))
    const machine = crypto.randomUUID()
    expect(await host.volumes.attach(id, machine, 1)).toEqual({
      path: await layerOf(id),
      format: 'qcow2',
    })
    expect(await processesOn(host.directory)).toEqual([])
    for (const use of [read(id, 0, 512), host.volumes.write(id, 0, bytesOf(2, 512))]) {
      const error = await use.catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(ApiError)
      expect((error as ApiError).template).toMatchObject({
        status: 400,
        message: diskInUse.byInstance,
      })
    }
    await host.volumes.detach(id, crypto.randomUUID(), 1)
    await expect(read(id, 0, 512)).rejects.toThrow(diskInUse.byInstance)
    await host.volumes.detach(id, machine, 1)
    expect(await read(id, 0, 512)).toEqual(bytesOf(1, 512))
    await host.volumes.delete(id)
  })

  describe('with a running guest', () => {
    async function attached(consistency: SnapshotConsistencyName) {
      const home = await mkdtemp(join(tmpdir(), 'guest-'))
      let failing = false
      const guests = new Map<string, Awaited<ReturnType<typeof startGuest>>>()
      const place = await startVolumes({
        domains: {
          async snapshotDisk(machineId, _, overlay) {
            const guest = guests.get(machineId)
            if (!guest) return undefined
            await guest.advance(overlay)
            if (failing) throw new Error('the connection was lost')
            return { consistency }
          },
          async growDisk(machineId, _, size, otherwise) {
            const guest = guests.get(machineId)
            if (guest) await guest.resize(size)
            else await otherwise()
            if (failing) throw new Error('the connection was lost')
          },
        },
      })
      const id = crypto.randomUUID()
      await place.volumes.create(id, { size: MiB, blockSize: 512 })
      await place.volumes.write(id, 0, bytesOf(1, 512))
      const machine = crypto.randomUUID()
      const { path } = await place.volumes.attach(id, machine, 1)
      const guest = await startGuest(home, path)
      guests.set(machine, guest)
      onTestFinished(async () => {
        if (guests.has(machine)) await guest.kill()
        await place.remove()
        await rm(home, { recursive: true, force: true })
      })
      return {
        ...place,
        id,
        machine,
        guest,
        fail: (is: boolean) => void (failing = is),
        async stop() {
          guests.delete(machine)
          await guest.kill()
        },
      }
    }

    test.each<SnapshotConsistencyName>(['crash_consistent', 'consistent'])(
      'a snapshot keeps its bytes, and says that it is %s',
      async (consistency) => {
        const { volumes, id, machine, guest, stop } = await attached(consistency)
        await guest.write(512, bytesOf(2, 512))
        const snapshotId = crypto.randomUUID()
        expect(await volumes.createSnapshot(snapshotId, id)).toEqual({ consistency })
        await guest.write(512, bytesOf(3, 512))
        expect(await volumes.createSnapshot(snapshotId, id)).toEqual({ consistency })
        expect(plain(await volumes.read(snapshotId, 512, 512))).toEqual(bytesOf(2, 512))
        // The call is repeated after a kill of the server, while the guest runs.
        await volumes.attach(id, machine, 1)
        await stop()
        await volumes.detach(id, machine, 1)
        expect(plain(await volumes.read(id, 512, 512))).toEqual(bytesOf(3, 512))
        expect(plain(await volumes.read(id, 0, 512))).toEqual(bytesOf(1, 512))
      },
    )

    test('a snapshot that was cut off loses nothing that the guest wrote meanwhile', async () => {
      const { volumes, id, machine, guest, fail, stop } = await attached('consistent')
      const snapshotId = crypto.randomUUID()
      fail(true)
      await expect(volumes.createSnapshot(snapshotId, id)).rejects.toThrow('connection was lost')
      await guest.write(0, bytesOf(4, 512))
      await stop()
      await volumes.detach(id, machine, 1)
      expect(plain(await volumes.read(id, 0, 512))).toEqual(bytesOf(4, 512))
      expect(plain(await volumes.read(snapshotId, 0, 512))).toEqual(bytesOf(1, 512))
      expect(await volumes.listSnapshots()).toEqual([snapshotId])
      // Nobody knows any more whether the guest held writes back.
      const consistency = 'crash_consistent'
      expect(await volumes.createSnapshot(snapshotId, id)).toEqual({ consistency })
    })

    test('the disk grows while the guest writes, also after a growth that was cut off', async () => {
      const { volumes, id, machine, guest, fail, stop } = await attached('consistent')
      await volumes.createSnapshot(crypto.randomUUID(), id)
      fail(true)
      await expect(volumes.grow(id, 2 * MiB)).rejects.toThrow('connection was lost')
      fail(false)
      await volumes.grow(id, 2 * MiB)
      await guest.write(0, bytesOf(2, 512))
      // It is off, but the volume still its own.
      await stop()
      await volumes.grow(id, 3 * MiB)
      await volumes.detach(id, machine, 1)
      expect(plain(await volumes.read(id, 0, 512))).toEqual(bytesOf(2, 512))
      expect(plain(await volumes.read(id, 3 * MiB - 512, 512))).toEqual(new Uint8Array(512))
      await volumes.write(id, 3 * MiB - 512, bytesOf(4, 512))
      expect(plain(await volumes.read(id, 3 * MiB - 512, 512))).toEqual(bytesOf(4, 512))
    })

    test('a backup has its moment, also after one that was killed', async () => {
      const { volumes, id, machine, guest, stop, database, directory } =
        await attached('crash_consistent')
      const detached = crypto.randomUUID()
      await volumes.create(detached, { size: MiB, blockSize: 512 })
      await volumes.write(detached, 0, bytesOf(5, 512))
      const begin = () =>
        createVolumesBackup(database, directory, {
          stateOf: async () => 'running',
          async switchDisks(_, overlays) {
            await guest.advance(overlays.get(id)!)
            return { consistency: 'crash_consistent' }
          },
        })
      const killed = begin()
      await killed.prepare()
      expect(await killed.take()).toBe(true)
      await guest.write(0, bytesOf(2, 512))

      const backup = begin()
      await backup.prepare()
      await guest.write(0, bytesOf(3, 512))
      // The servers go on while it is written.
      expect(await backup.take()).toBe(true)
      const { layer_id: frozen, next_layer_id: next } = await rowOf(database, id)
      await Promise.all([
        backup.settle(),
        volumes.write(detached, 0, bytesOf(6, 512)),
        guest.write(512, bytesOf(4, 512)),
      ])
      const inBackup = (layer: string): Buffer => {
        const raw = join(backup.directory, 'raw')
        execFileSync('qemu-img', ['convert', '-O', 'raw', `${layer}.qcow2`, 'raw'], {
          cwd: backup.directory,
        })
        return readFileSync(raw)
      }
      expect(plain(inBackup(next!).subarray(0, 1024))).toEqual(
        Uint8Array.from([...bytesOf(2, 512), ...new Uint8Array(512)]),
      )
      expect(inBackup(next!).equals(inBackup(frozen))).toBe(true)
      const { layer_id: top } = await rowOf(database, detached)
      expect(readdirSync(backup.directory)).not.toContain(`${top}.qcow2`)
      await backup.close()
      expect(readdirSync(directory)).not.toContain('.backup')

      await stop()
      await volumes.detach(id, machine, 1)
      expect(plain(await volumes.read(id, 0, 512))).toEqual(bytesOf(3, 512))
      expect(plain(await volumes.read(id, 512, 512))).toEqual(bytesOf(4, 512))
      expect(plain(await volumes.read(detached, 0, 512))).toEqual(bytesOf(6, 512))
      await volumes.write(detached, 0, bytesOf(7, 512))
      expect(await rowOf(database, detached)).toMatchObject({ layer_id: top })
    })

    test('long chains are shortened below it', async () => {
      const { volumes, id, machine, guest, stop, database } = await attached('crash_consistent')
      const snapshots: string[] = []
      for (let round = 0; round < CHAIN_MAX + 2; round++) {
        await guest.write(round * BLOCK, bytesOf(round, BLOCK))
        snapshots.push(crypto.randomUUID())
        await volumes.createSnapshot(snapshots.at(-1)!, id)
      }
      await volumes.settled()
      const whole = await database.db
        .selectFrom('libvirt_layer')
        .selectAll()
        .where('parent_id', 'is', null)
        .execute()
      expect(whole).toHaveLength(2)
      await guest.write(0, bytesOf(99, BLOCK))
      await stop()
      await volumes.detach(id, machine, 1)
      expect(plain(await volumes.read(id, 0, BLOCK))).toEqual(bytesOf(99, BLOCK))
      for (let round = 0; round < snapshots.length; round++) {
        const found = plain(await volumes.read(snapshots[round]!, round * BLOCK, BLOCK))
        expect(found).toEqual(bytesOf(round, BLOCK))
      }
    })
  })

  test('a killed process of a volume is replaced', async () => {
    const id = await create()
    await host.volumes.write(id, 0, bytesOf(1, 512))
    for (const pid of await processesOn(await layerOf(id))) process.kill(pid, 'SIGKILL')
    expect(await read(id, 0, 512)).toEqual(bytesOf(1, 512))
    await host.volumes.delete(id)
  })

  test('a silent process of a volume fails its call, and is replaced', async () => {
    const limits = { ...nbdLimits }
    const place = await startVolumes({ limits })
    onTestFinished(() => place.remove())
    const id = crypto.randomUUID()
    await place.volumes.create(id, { size: MiB, blockSize: 512 })
    await place.volumes.write(id, 0, bytesOf(1, 512))
    const silent = await processesOn(place.directory)
    for (const pid of silent) process.kill(pid, 'SIGSTOP')
    limits.answer = 1
    await expect(place.volumes.read(id, 0, 512)).rejects.toThrow(diskSilent)
    limits.answer = nbdLimits.answer
    expect(plain(await place.volumes.read(id, 0, 512))).toEqual(bytesOf(1, 512))
    expect(await processesOn(place.directory)).not.toEqual(silent)
  })

  test('finds damage to a file', async () => {
    const id = await create()
    await host.volumes.write(id, 0, bytesOf(1, BLOCK))
    expect(await host.volumes.check(id, never)).toEqual([])
    const read: number[] = []
    await host.volumes.check(id, async (bytes) => void read.push(bytes))
    expect(read).toEqual([BLOCK])
    const path = await layerOf(id)
    await host.volumes.attach(id, 'm', 1)
    const file = await open(path, 'r+')
    // The table of reference counts, after the header.
    await file.write(new Uint8Array(BLOCK).fill(0xff), 0, BLOCK, BLOCK)
    await file.close()
    await host.volumes.detach(id, 'm', 1)
    expect(await host.volumes.check(id, never)).toEqual([{ offset: 0, length: MiB }])
    await host.volumes.delete(id)
    expect(await host.volumes.check(id, never)).toEqual([])
  })

  test('finds damage below the layer of a machine, and in the layers of a snapshot', async () => {
    const id = await create()
    await host.volumes.write(id, 0, bytesOf(1, BLOCK))
    const frozen = await layerOf(id)
    const snapshot = crypto.randomUUID()
    await host.volumes.createSnapshot(snapshot, id)
    await host.volumes.attach(id, 'm', 1)
    const read: number[] = []
    const check = (of: string) => host.volumes.check(of, async (bytes) => void read.push(bytes))
    // The layer that the machine writes to is left alone, whatever is in it.
    await writeFile(await layerOf(id), 'being written')
    expect(await check(id)).toEqual([])
    expect(read).toEqual([BLOCK])
    const file = await open(frozen, 'r+')
    await file.write(new Uint8Array(BLOCK).fill(0xff), 0, BLOCK, BLOCK)
    await file.close()
    const whole = [{ offset: 0, length: MiB }]
    expect(await check(id)).toEqual(whole)
    expect(await check(snapshot)).toEqual(whole)
    await host.volumes.detach(id, 'm', 1)
    await host.volumes.delete(id)
    await host.volumes.deleteSnapshot(snapshot)
  })

  test('says that the file of a volume is gone', async () => {
    const place = await startVolumes()
    const id = crypto.randomUUID()
    await place.volumes.create(id, { size: MiB, blockSize: 512 })
    await place.close()
    const [name] = await layerFilesIn(place.directory)
    await rm(join(place.directory, name!))
    const again = await place.another()
    expect(again.log.mock.calls.flat().join()).toContain('1 files with the bytes of disks are gone')
    await expect(again.volumes.read(id, 0, 512)).rejects.toThrow('are lost')
    await again.volumes.delete(id)
    await again.remove()
  })

  test('needs its programs, and says which', async () => {
    vi.stubEnv('PATH', '/nowhere')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(startVolumes()).rejects.toThrow('disks need qemu-img (Debian package qemu-utils)')
  })

  test('leaves the space that is to stay free', async () => {
    const place = await startVolumes({ keepFree: 2 ** 60 })
    onTestFinished(() => place.remove())
    const id = crypto.randomUUID()
    await place.volumes.create(id, { size: MiB, blockSize: 512 })
    expect(await place.volumes.room()).toBe(0)
    await expect(place.volumes.write(id, 0, bytesOf(1, 512))).rejects.toThrow(NoSpaceError)
  })

  const mountable = process.getuid?.() === 0
  test.skipIf(!mountable)('a full disk damages nothing @long', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'small-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', directory])
    onTestFinished(async () => {
      execFileSync('umount', ['-l', directory])
      await rm(directory, { recursive: true, force: true })
    })
    const place = await startVolumes({ directory })
    onTestFinished(() => place.remove())
    const { volumes } = place
    const id = crypto.randomUUID()
    await volumes.create(id, { size: 32 * MiB, blockSize: 512 })
    let written = 0
    const failure = await (async () => {
      for (; written < 32; written++) await volumes.write(id, written * MiB, bytesOf(written, MiB))
    })().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NoSpaceError)
    expect(written).toBeGreaterThan(3)
    const check = async () => {
      for (let piece = 0; piece < written; piece++) {
        expect(plain(await volumes.read(id, piece * MiB, MiB))).toEqual(bytesOf(piece, MiB))
      }
    }
    await check()
    fill(directory)
    await expect(volumes.createSnapshot(crypto.randomUUID(), id)).rejects.toThrow(NoSpaceError)
    const other = crypto.randomUUID()
    await expect(volumes.create(other, { size: MiB, blockSize: 512 })).rejects.toThrow(NoSpaceError)
    expect(await volumes.check(id, never)).toEqual([])
    const backup = createVolumesBackup(place.database, directory, {
      stateOf: async () => 'off',
      switchDisks: async () => undefined,
    })
    await expect(backup.prepare()).rejects.toMatchObject({ code: 'ENOSPC' })
    await backup.close()
    execFileSync('mount', ['-o', 'remount,size=32m', directory])
    await check()
    await volumes.create(other, { size: MiB, blockSize: 512 })
    await volumes.write(id, written * MiB, bytesOf(written, MiB))
    written++
    await check()
    expect(await volumes.check(id, never)).toEqual([])
  })

  test('no process is left after closing', async () => {
    const place = await startVolumes()
    const id = crypto.randomUUID()
    await place.volumes.create(id, { size: MiB, blockSize: 512 })
    await place.volumes.write(id, 0, bytesOf(1, 512))
    expect(await processesOn(place.directory)).toHaveLength(1)
    await place.close()
    await expect.poll(() => processesOn(place.directory)).toEqual([])
    await expect.poll(() => readdir(join(place.directory, 'sockets'))).toEqual([])
    await rm(place.data, { recursive: true, force: true })
  })
})

if (missing === undefined && spawnSync('qemu-storage-daemon', ['--version']).status !== 0) {
  console.warn('The tests of snapshots of running guests need qemu-storage-daemon.')
}

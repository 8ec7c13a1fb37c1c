/** Disks that move to another storage pool while a guest writes to them. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DiskCopyError, NoSpaceError } from '@steading/control-plane/ports'
import { diskInUse, diskMoveMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { random } from '../../../control-plane/test/support/random.ts'
import { until } from '../../../control-plane/test/support/things.ts'
import { libvirtUri } from '../support/domains.ts'
import { openTestHost, runGuest, type TestHost, type TestServer } from '../support/engine.ts'
import { fill } from '../support/fill.ts'
import { guestDisk, keys, killQemu, READY } from '../support/guest.ts'
import { layerFilesIn } from '../support/volumes.ts'

const MiB = 1024 * 1024
/** The disk has no room for the writes of more. */
const kills = Math.min(20, Number(process.env.KILLS ?? 2))
const victim = join(import.meta.dirname, '../support/moving-guest-victim.ts')
const mountable = process.getuid?.() === 0
if (!mountable) console.warn('The tests of disks that move under a running guest need root.')

let host: TestHost
let server: TestServer
beforeAll(async () => {
  host = await openTestHost({ resumeFree: MiB })
  server = await host.start()
})
afterAll(async () => {
  await server.close()
  await host.remove()
})

/** A storage pool with a file system of its own, until the test ends. */
async function newPool(size = '64m') {
  const path = mkdtempSync(join(host.data, 'pool-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', path])
  onTestFinished(() => void execFileSync('umount', ['-l', path]))
  const id = crypto.randomUUID()
  await server.engines.storagePools.add({ id, path })
  return { id, path }
}

/** A guest that writes to its disk when it is told to, until the test ends. */
async function writingGuest(size = 4 * MiB) {
  const { id, volumeId } = await runGuest(server, size)
  const output = async () =>
    new TextDecoder().decode((await server.engines.consoles.read(id, 0)).data)
  await until(output, (seen) => expect(seen).toContain(READY))
  const viewer = { write() {}, resumeAt() {}, pending: () => 0, close() {} }
  const join = () => server.engines.consoles.open(id, { mostRecent: 0 }, viewer)
  let line = join()
  const writes = async (): Promise<number> => (await output()).split('Written.').length - 1
  /** Ends the guest, so that its disk can be read. */
  const end = async () => {
    line.leave()
    await server.engines.machines.halt(id, 2)
    await server.engines.volumes.detach(volumeId, id, 2)
  }
  onTestFinished(async () => {
    await end()
    await server.engines.machines.destroy(id, 2)
    await server.engines.volumes.delete(volumeId, 2)
  })
  return {
    id,
    volumeId,
    /** Uses another server from now on. */
    join: () => void (line = join()),
    /** Has the guest write 64 KiB further. */
    type: () => line.type(new TextEncoder().encode(keys.write)),
    /** The same, and waits until it has. */
    async write() {
      const before = await writes()
      line.type(new TextEncoder().encode(keys.write))
      await until(writes, (seen) => expect(seen).toBeGreaterThan(before))
    },
    /** Ends the guest, and expects everything that it has written on its disk. */
    async expectWritten() {
      await end()
      const { volumes } = server.engines
      const expected = Buffer.from(guestDisk().subarray(0, 256))
      const written = await writes()
      expect(written).toBeGreaterThan(0)
      for (let at = 0; at < written; at++) {
        const bytes = await volumes.read(volumeId, MiB + at * 65_536, 256)
        expect(Buffer.from(bytes), `write ${at}`).toEqual(expected)
      }
    },
  }
}

const domain = (id: string) =>
  execFileSync('virsh', ['-c', libvirtUri, 'dumpxml', id], { encoding: 'utf8' })
const stateOf = (id: string) =>
  execFileSync('virsh', ['-c', libvirtUri, 'domstate', id], { encoding: 'utf8' }).trim()

/** Waits until QEMU has copied a disk, and keeps the copy the same. */
const copied = (id: string) =>
  until(
    async () => domain(id),
    (xml) => expect(xml).toContain("ready='yes'"),
  )

const arrived = (volumeId: string, pool: string | null) =>
  until(
    () => server.engines.storagePools.move(volumeId, pool),
    ({ done }) => expect(done).toBe(true),
  )

/** Lets the rows of volumes refuse to change their pool, until the returned function is called. */
async function refuseRows() {
  await sql`create trigger refused before update of pool_id on libvirt_volume
    begin select raise(abort, 'refused by the test'); end`.execute(host.database.db)
  const end = () => sql`drop trigger if exists refused`.execute(host.database.db)
  onTestFinished(async () => void (await end()))
  return end
}

describe.skipIf(!mountable)('a disk of a running guest', () => {
  test('moves with what the guest writes meanwhile, and its snapshots stay', async () => {
    const { volumes, storagePools } = server.engines
    const pool = await newPool()
    const guest = await writingGuest()
    const { id, volumeId } = guest
    await guest.write()
    const snapshot = crypto.randomUUID()
    await volumes.createSnapshot(snapshot, volumeId, 2)
    await guest.write()
    expect((await storagePools.move(volumeId, pool.id)).done).toBe(false)
    await guest.write()
    await copied(id)
    await guest.write()
    await arrived(volumeId, pool.id)
    expect(stateOf(id)).toBe('running')
    expect(domain(id)).not.toContain('<mirror')
    await guest.write()
    // It can be grown, kept by a snapshot and moved again.
    await volumes.grow(volumeId, 8 * MiB, 2)
    await volumes.createSnapshot(crypto.randomUUID(), volumeId, 2)
    await guest.write()
    await arrived(volumeId, null)
    await guest.write()
    await arrived(volumeId, pool.id)
    await guest.write()
    await guest.expectWritten()
    expect(await storagePools.stay(volumeId, pool.id)).toBe(true)
    const kept = await volumes.read(snapshot, MiB + 65_536, 256)
    expect(Buffer.from(kept)).toEqual(Buffer.alloc(256))
    const rows = await host.database.db.selectFrom('libvirt_layer').selectAll().execute()
    const inPool = rows.filter(({ pool_id }) => pool_id === pool.id)
    expect(await layerFilesIn(pool.path)).toEqual(inPool.map(({ id }) => `${id}.qcow2`).toSorted())
    expect(await layerFilesIn(join(host.data, 'libvirt/volumes'))).toEqual(
      rows.map(({ id }) => `${id}.qcow2`).toSorted(),
    )
  })

  test('stays when its move is cancelled @long', async () => {
    const { storagePools, volumes } = server.engines
    const pool = await newPool()
    const guest = await writingGuest()
    await storagePools.move(guest.volumeId, pool.id)
    await copied(guest.id)
    await guest.write()
    // QEMU copies it, so nothing else can be done with it.
    await expect(volumes.createSnapshot(crypto.randomUUID(), guest.volumeId, 2)).rejects.toThrow(
      'block',
    )
    expect(await storagePools.stay(guest.volumeId, null)).toBe(true)
    expect(domain(guest.id)).not.toContain('<mirror')
    expect(await layerFilesIn(pool.path)).toEqual([])
    await guest.write()
    await guest.expectWritten()
  })

  test('stays when the guest ends meanwhile @long', async () => {
    const { storagePools, machines } = server.engines
    const pool = await newPool()
    const guest = await writingGuest()
    await storagePools.move(guest.volumeId, pool.id)
    await copied(guest.id)
    await guest.write()
    killQemu(guest.id)
    await until(
      () => machines.observe(guest.id),
      ({ phase }) => expect(phase).toBe('failed'),
    )
    const move = () => storagePools.move(guest.volumeId, pool.id)
    await expect(move()).rejects.toThrow(new DiskCopyError(diskMoveMessages.ended))
    expect(await storagePools.stay(guest.volumeId, null)).toBe(true)
    expect(await layerFilesIn(pool.path)).toEqual([])
    await guest.expectWritten()
    // At rest it moves.
    await arrived(guest.volumeId, pool.id)
    await guest.expectWritten()
  })

  test('stays when the pool is full, and the guest goes on @long', async () => {
    const { storagePools } = server.engines
    const [small, pool] = [await newPool('1m'), await newPool('8m')]
    const guest = await writingGuest()
    await guest.write()
    const attempt = async (pool: string) => {
      while (!(await storagePools.move(guest.volumeId, pool)).done);
    }
    await expect(attempt(small.id)).rejects.toThrow(NoSpaceError)
    expect(await storagePools.stay(guest.volumeId, null)).toBe(true)
    // One that is filled while QEMU copies to it.
    await storagePools.move(guest.volumeId, pool.id)
    await copied(guest.id)
    fill(pool.path)
    for (let at = 0; at < 20; at++) await guest.write()
    await expect(attempt(pool.id)).rejects.toThrow(NoSpaceError)
    expect(await storagePools.stay(guest.volumeId, null)).toBe(true)
    expect(stateOf(guest.id)).toBe('running')
    await guest.write()
    await guest.expectWritten()
  })

  test('is copied anew after somebody has ended its copy, a few times @long', async () => {
    const { storagePools } = server.engines
    const pool = await newPool()
    const guest = await writingGuest()
    const move = () => storagePools.move(guest.volumeId, pool.id)
    const endCopy = () =>
      execFileSync('virsh', ['-c', libvirtUri, 'blockjob', guest.id, 'vda', '--abort'])
    for (let attempt = 0; attempt < 3; attempt++) {
      await move()
      await copied(guest.id)
      await guest.write()
      endCopy()
    }
    await expect(move()).rejects.toThrow(DiskCopyError)
    expect(await storagePools.stay(guest.volumeId, null)).toBe(true)
    await move()
    await copied(guest.id)
    endCopy()
    await arrived(guest.volumeId, pool.id)
    await guest.expectWritten()
  })

  test('waits for room in its own pool, or goes on in another one @long', async () => {
    const { storagePools, machines } = server.engines
    const [full, pool] = [await newPool('8m'), await newPool()]
    const guest = await writingGuest()
    await arrived(guest.volumeId, full.id)
    const observed = (expected: object) =>
      until(
        () => machines.observe(guest.id),
        (seen) => expect({ pause: null, ...seen }).toMatchObject(expected),
      )
    fill(full.path)
    guest.type()
    await observed({ phase: 'running', pause: 'no_space' })
    // The first pool has room, which is of no use to it.
    await storagePools.move(guest.volumeId, pool.id)
    await copied(guest.id)
    expect(stateOf(guest.id)).toBe('paused')
    await arrived(guest.volumeId, pool.id)
    await observed({ phase: 'running', pause: null })
    await guest.write()
    await guest.expectWritten()
  })

  test('is paused until its row says where it is', async () => {
    const { storagePools } = server.engines
    const pool = await newPool()
    const guest = await writingGuest()
    await storagePools.move(guest.volumeId, pool.id)
    await copied(guest.id)
    await guest.write()
    const endRefusal = await refuseRows()
    await expect(storagePools.move(guest.volumeId, pool.id)).rejects.toThrow('refused')
    // The guest has the copy, and the row does not say so.
    expect(domain(guest.id)).not.toContain('<mirror')
    expect(stateOf(guest.id)).toBe('paused')
    await endRefusal()
    // Also when it was cancelled meanwhile.
    expect(await storagePools.stay(guest.volumeId, null)).toBe(false)
    expect(stateOf(guest.id)).toBe('running')
    await guest.write()
    await guest.expectWritten()
    expect(await storagePools.stay(guest.volumeId, pool.id)).toBe(true)
  })

  test('has everything that the guest wrote if QEMU ends before its row says where it is', async () => {
    const { storagePools } = server.engines
    const pool = await newPool()
    const guest = await writingGuest()
    await storagePools.move(guest.volumeId, pool.id)
    await copied(guest.id)
    await guest.write()
    const endRefusal = await refuseRows()
    await expect(storagePools.move(guest.volumeId, pool.id)).rejects.toThrow('refused')
    killQemu(guest.id)
    await until(
      () => server.engines.machines.observe(guest.id),
      ({ phase }) => expect(phase).toBe('failed'),
    )
    await endRefusal()
    await expect(storagePools.move(guest.volumeId, pool.id)).rejects.toThrow(diskMoveMessages.ended)
    expect(await storagePools.stay(guest.volumeId, null)).toBe(true)
    await guest.expectWritten()
  })

  test(`has everything that the guest wrote after ${kills} kills of the server @long`, async () => {
    const pool = await newPool()
    const guest = await writingGuest(16 * MiB)
    const { id, volumeId } = guest
    // Another server, over the same data.
    await server.close()
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [victim, host.data, pool.id, id, volumeId], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close')
      await once(createInterface({ input: child.stdout }), 'line')
      setTimeout(() => child.kill('SIGKILL'), random() * 400)
      await ended
      expect(child.signalCode).toBe('SIGKILL')
      server = await host.start()
      const { storagePools } = server.engines
      guest.join()
      const inPool = await storagePools.stay(volumeId, pool.id)
      expect(await storagePools.stay(volumeId, null)).toBe(!inPool)
      expect(stateOf(id)).toBe('running')
      expect(domain(id)).not.toContain('<mirror')
      expect(await layerFilesIn(pool.path)).toHaveLength(inPool ? 1 : 0)
      await guest.write()
      if (kill + 1 < kills) await server.close()
    }
    await guest.expectWritten()
  })

  test('waits for a machine that starts or ends @long', async () => {
    const { storagePools, volumes } = server.engines
    const pool = await newPool()
    const [volumeId, machineId] = [crypto.randomUUID(), crypto.randomUUID()]
    await volumes.create(volumeId, { size: MiB, blockSize: 512 }, 1)
    await volumes.attach(volumeId, machineId, 1)
    await expect(storagePools.move(volumeId, pool.id)).rejects.toThrow(diskInUse.byInstance)
    await volumes.detach(volumeId, machineId, 1)
    await arrived(volumeId, pool.id)
    await volumes.delete(volumeId)
  })
})

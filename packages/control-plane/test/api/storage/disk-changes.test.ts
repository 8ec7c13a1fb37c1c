/** Disks that grow, and disks and instances that are rolled back to snapshots. */
import { randomBytes } from 'node:crypto'
import { diskActions, diskRefusals, GiB, instanceActions } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { viewConsole } from '../../support/console.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { contentsOf, importedDisk, importingDisk } from '../../support/storage.ts'
import {
  keepNothing,
  blankDisk,
  detachedDisk,
  reaches,
  smallInstance,
  stoppedInstance,
  until,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await keepNothing(admin)
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())
afterEach(() => faults().inject())

const faults = () => server.host.controlPlane.engines.faults
let count = 0
const fresh = () => `thing-${count++}`
const blank = (values: object = {}) => detachedDisk(admin, query, fresh(), values)
const view = (disk: string) => admin.call('disk_view', { params: { disk } })
const grow = (disk: string, size: number) =>
  admin.call('disk_grow', { params: { disk }, body: { size } })
const growRefused = (disk: string, size: number) =>
  admin.refusal('disk_grow', { params: { disk }, body: { size } })
const snapshotOf = (disk: string) =>
  admin.call('snapshot_create', { query, body: { name: fresh(), description: '', disk } })
const rollBack = (disk: string, snapshot: string) =>
  admin.call('disk_roll_back', { params: { disk }, body: { snapshot } })
const rollBackRefused = (disk: string, snapshot: string) =>
  admin.refusal('disk_roll_back', { params: { disk }, body: { snapshot } })
const storage = async () => (await admin.call('utilization_view')).provisioned.storage
const settled = (disk: string) =>
  until(
    () => server.db.selectFrom('disk').selectAll().where('id', '=', disk).executeTakeFirstOrThrow(),
    ({ growing, state }) => expect([growing, state === 'maintenance']).toEqual([0, false]),
  )
/** The bytes that the physical disks reserve for a disk. */
const reserved = (disk: string) =>
  server.db.selectFrom('disk_replica').select('size').where('disk_id', '=', disk).execute()
const lastEvents = async (id: string) =>
  server.db.selectFrom('event').select('action').where('resource_id', '=', id).execute()

describe('growing a disk', () => {
  test('has the new size when the call returns, and reads as zeros there', async () => {
    const data = randomBytes(4096)
    const disk = await importedDisk(admin, 'work', fresh(), data)
    const snapshot = await snapshotOf(disk.id)
    const before = await storage()
    expect(await grow(disk.id, 3 * GiB)).toMatchObject({
      size: 3 * GiB,
      state: { state: 'detached' },
    })
    expect(await storage()).toBe(before + 2 * GiB)
    await settled(disk.id)
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, 4096))).toBe(true)
    const end = await contentsOf(admin, 'disks', disk.id, 3 * GiB - 4096, 4096)
    expect(end.equals(Buffer.alloc(4096))).toBe(true)
    const kept = await admin.call('snapshot_view', { params: { snapshot: snapshot.id } })
    expect(kept.size).toBe(GiB)
    for (const { size } of await reserved(disk.id)) expect(size).toBe(3 * GiB)
    expect((await lastEvents(disk.id)).at(-1)?.action).toBe('update')
    await admin.call('disk_delete', { params: { disk: disk.id } })
    expect(await storage()).toBe(before - GiB)
  })

  test('tells a running guest', async () => {
    const { id } = await admin.call('instance_create', {
      query,
      body: smallInstance(fresh(), {
        start: true,
        boot_disk: { type: 'create', ...blankDisk(fresh()) },
      }),
    })
    const { boot_disk_id } = await reaches(admin, id, 'running')
    expect((await grow(boot_disk_id!, 2 * GiB)).state).toEqual({ state: 'attached', instance: id })
    await settled(boot_disk_id!)
    const viewer = viewConsole(server.url, admin, id, { query: { most_recent: '4096' } })
    await viewer.opened
    viewer.type('lsblk\r')
    await expect.poll(viewer.seen).toMatch(/nvme0n1 .* 2G /)
  })

  test.each([
    [GiB, 'unsupported value for "size": total size must be more than the present 1 GiB'],
    [2 * GiB + 512, 'unsupported value for "size": total size must be a multiple of 1 GiB'],
    [1024 * GiB, 'unsupported value for "size": total size must be less than 1023 GiB'],
    [0, 'unsupported value for "size": total size must be at least 1 GiB'],
  ])('refuses %i bytes', async (size, message) => {
    const { id } = await blank()
    expect(await growRefused(id, size)).toEqual({
      status: 400,
      error_code: 'InvalidValue',
      message,
    })
    expect((await view(id)).size).toBe(GiB)
  })

  test('refuses read-only disks, imports, and disks that are faulted', async () => {
    const source = await blank()
    const { id: snapshot_id } = await snapshotOf(source.id)
    const copy = await blank({
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'snapshot', snapshot_id, read_only: true },
      },
    })
    expect((await growRefused(copy.id, 2 * GiB)).message).toBe(
      'A read-only disk is as large as its source',
    )
    const importing = await importingDisk(admin, 'work', fresh())
    expect((await growRefused(importing.id, 2 * GiB)).message).toBe(diskActions.grow.otherwise)
    await server.db
      .updateTable('disk')
      .set({ state: 'faulted' })
      .where('id', '=', source.id)
      .execute()
    expect((await growRefused(source.id, 2 * GiB)).message).toBe(diskActions.grow.otherwise)
  })

  test('needs room in the quota and on the physical disks, to the byte', async () => {
    const { id } = await blank()
    const { used_storage, quota_storage } = await server.db
      .selectFrom('silo')
      .select(['used_storage', 'quota_storage'])
      .where('id', '=', server.siloId)
      .executeTakeFirstOrThrow()
    const quota = (bytes: number) =>
      server.db
        .updateTable('silo')
        .set({ quota_storage: bytes })
        .where('id', '=', server.siloId)
        .execute()
    await quota(used_storage + GiB)
    expect((await growRefused(id, 3 * GiB)).status).toBe(507)
    expect(await view(id)).toMatchObject({ size: GiB })
    await grow(id, 2 * GiB)
    await quota(quota_storage)
    await settled(id)
    const before = await server.db.selectFrom('physical_disk').select(['id', 'size']).execute()
    await server.db.updateTable('physical_disk').set({ size: 0 }).execute()
    const full = await growRefused(id, 3 * GiB)
    expect(full).toMatchObject({ status: 507, message: expect.stringContaining('storage') })
    for (const disk of before) {
      await server.db
        .updateTable('physical_disk')
        .set({ size: disk.size })
        .where('id', '=', disk.id)
        .execute()
    }
    expect(await storage()).toBe(used_storage + GiB)
    await grow(id, 3 * GiB)
  })

  test('goes on after failures, before later snapshots and after earlier ones', async () => {
    const { id } = await blank()
    const { id: earlier } = await snapshotOf(id)
    let failing = true
    let attempts = 0
    faults().inject((action, thing) => {
      if (action === 'growVolume' && thing === id) attempts++
      if (failing && (action === 'growVolume' || action === 'createSnapshot')) throw new Error('no')
    })
    const growing = grow(id, 2 * GiB)
    await expect.poll(() => attempts).toBeGreaterThan(0)
    expect((await view(id)).size).toBe(2 * GiB)
    expect(await growRefused(id, 3 * GiB)).toMatchObject({
      status: 409,
      error_code: 'Conflict',
    })
    const later = snapshotOf(id)
    failing = false
    expect((await growing).size).toBe(2 * GiB)
    const taken = await later
    await until(
      () => admin.call('snapshot_view', { params: { snapshot: taken.id } }),
      ({ state, size }) => expect([state, size]).toEqual(['ready', 2 * GiB]),
    )
    const end = await contentsOf(admin, 'snapshots', taken.id, 2 * GiB - 512, 512)
    expect(end.equals(Buffer.alloc(512))).toBe(true)
    const early = await admin.call('snapshot_view', { params: { snapshot: earlier } })
    expect(early.size).toBe(GiB)
  })

  test('is finished when the disk is attached or deleted meanwhile', async () => {
    const instance = await stoppedInstance(admin, query, fresh())
    const [attached, deleted] = [await blank(), await blank()]
    let failing = true
    faults().inject((action) => {
      if (failing && action === 'growVolume') throw new Error('not yet')
    })
    const before = await storage()
    const growing = [grow(attached.id, 2 * GiB), grow(deleted.id, 2 * GiB)]
    await until(storage, (used) => expect(used).toBe(before + 2 * GiB))
    await admin.call('instance_disk_attach', {
      params: { instance: instance.id },
      body: { disk: attached.id },
    })
    await admin.call('disk_delete', { params: { disk: deleted.id } })
    failing = false
    await Promise.allSettled(growing)
    await settled(attached.id)
    expect(await view(attached.id)).toMatchObject({ size: 2 * GiB, state: { state: 'attached' } })
    const { volumes } = server.host.controlPlane.engines
    await expect.poll(volumes.list).not.toContain(deleted.id)
    expect(await storage()).toBe(before)
  })
})

describe('rolling a disk back', () => {
  test('returns to a snapshot, keeps the size, and can be taken back', async () => {
    const [first, second] = [randomBytes(4096), randomBytes(4096)]
    const disk = await importedDisk(admin, 'work', fresh(), first)
    const snapshot = await snapshotOf(disk.id)
    const { volumes } = server.host.controlPlane.engines
    await grow(disk.id, 2 * GiB)
    await settled(disk.id)
    await volumes.write(disk.id, 0, second)
    await volumes.write(disk.id, 2 * GiB - 4096, second)
    const before = await storage()
    const done = await rollBack(disk.id, snapshot.name)
    expect(done).toMatchObject({
      disk: { id: disk.id, size: 2 * GiB, state: { state: 'detached' } },
      before: {
        disk_id: disk.id,
        size: 2 * GiB,
        state: 'ready',
        description: `Before rolling back to ${snapshot.name}`,
      },
    })
    expect(done.before.name).toMatch(new RegExp(`^${disk.name}-`))
    expect(await storage()).toBe(before + 2 * GiB)
    const bytes = (at: number) => contentsOf(admin, 'disks', disk.id, at, 4096)
    expect(first.equals(await bytes(0))).toBe(true)
    expect((await bytes(2 * GiB - 4096)).equals(Buffer.alloc(4096))).toBe(true)
    await rollBack(disk.id, done.before.id)
    expect(second.equals(await bytes(0))).toBe(true)
    expect(second.equals(await bytes(2 * GiB - 4096))).toBe(true)
  })

  test('refuses snapshots of other disks, unready ones, and a disk in use', async () => {
    const [disk, other] = [await blank(), await blank()]
    const [own, foreign] = [await snapshotOf(disk.id), await snapshotOf(other.id)]
    expect(await rollBackRefused(disk.id, foreign.id)).toMatchObject({
      status: 400,
      message: diskRefusals.otherSnapshot(foreign.name, disk.name),
    })
    expect((await rollBackRefused(disk.id, fresh())).status).toBe(404)
    const force = (state: 'faulted' | 'ready') =>
      server.db.updateTable('snapshot').set({ state }).where('id', '=', own.id).execute()
    await force('faulted')
    expect((await rollBackRefused(disk.id, own.id)).message).toContain('in state Faulted')
    await force('ready')
    const instance = await stoppedInstance(admin, query, fresh(), {
      disks: [{ type: 'attach', name: disk.name }],
    })
    await admin.call('instance_start', { params: { instance: instance.id } })
    await reaches(admin, instance.id, 'running')
    expect(await rollBackRefused(disk.id, own.id)).toMatchObject({
      status: 400,
      message: instanceActions.rollBack.otherwise,
    })
    expect((await admin.call('snapshot_list', { query })).items.length).toBeGreaterThan(0)
  })

  test('heals after failures; until then the disk stays out of use, and its snapshot in place', async () => {
    const first = randomBytes(4096)
    const disk = await importedDisk(admin, 'work', fresh(), first)
    const snapshot = await snapshotOf(disk.id)
    const instance = await stoppedInstance(admin, query, fresh(), {
      disks: [{ type: 'attach', name: disk.name }],
    })
    const { volumes } = server.host.controlPlane.engines
    await volumes.write(disk.id, 0, randomBytes(4096))
    let failing = true
    let attempts = 0
    faults().inject((action) => {
      if (action !== 'rollBackVolume') return
      attempts++
      if (failing) throw new Error('killed in between')
    })
    const rolling = rollBack(disk.id, snapshot.id)
    await expect.poll(() => attempts).toBeGreaterThan(0)
    expect((await view(disk.id)).state).toEqual({ state: 'maintenance' })
    expect(
      await admin.refusal('instance_start', { params: { instance: instance.id } }),
    ).toMatchObject({ message: expect.stringContaining('is being rolled back') })
    const detach = { params: { instance: instance.id }, body: { disk: disk.id } }
    for (const refusal of [
      await admin.refusal('instance_disk_detach', detach),
      await admin.refusal('disk_delete', { params: { disk: disk.id } }),
      await growRefused(disk.id, 2 * GiB),
      await rollBackRefused(disk.id, snapshot.id),
    ]) {
      expect(refusal.status).toBe(400)
    }
    // Its bytes are needed until the disk has them.
    await admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
    await admin.call('instance_delete', { params: { instance: instance.id } })
    failing = false
    await rolling
    await settled(disk.id)
    expect((await view(disk.id)).state).toEqual({ state: 'detached' })
    expect(first.equals(await contentsOf(admin, 'disks', disk.id, 0, 4096))).toBe(true)
    await expect.poll(volumes.listSnapshots).not.toContain(snapshot.id)
  })

  test('needs quota for the snapshot of now, and changes nothing without it', async () => {
    const disk = await blank()
    const snapshot = await snapshotOf(disk.id)
    const silo = server.db.updateTable('silo').where('id', '=', server.siloId)
    const { quota_storage } = await server.db
      .selectFrom('silo')
      .select('quota_storage')
      .where('id', '=', server.siloId)
      .executeTakeFirstOrThrow()
    await silo.set({ quota_storage: await storage() }).execute()
    expect((await rollBackRefused(disk.id, snapshot.id)).status).toBe(507)
    await silo.set({ quota_storage }).execute()
    expect((await view(disk.id)).state).toEqual({ state: 'detached' })
  })
})

describe('rolling an instance back', () => {
  test('returns all chosen disks to their snapshots, or none', async () => {
    const [boot, data, free] = [await blank(), await blank(), await blank()]
    const snapshots = [await snapshotOf(boot.id), await snapshotOf(data.id)]
    const foreign = await snapshotOf(free.id)
    const { id } = await stoppedInstance(admin, query, fresh(), {
      disks: [boot, data].map(({ name }) => ({ type: 'attach', name })),
    })
    const params = { instance: id }
    const call = (ids: string[]) => ({ params, body: { snapshots: ids } })
    const ids = snapshots.map((each) => each.id)
    expect(await admin.refusal('instance_roll_back', call([...ids, foreign.id]))).toMatchObject({
      status: 400,
      message: diskRefusals.otherInstance(foreign.name),
    })
    expect((await admin.refusal('instance_roll_back', call([ids[0]!, ids[0]!]))).status).toBe(400)
    expect((await view(boot.id)).state).toMatchObject({ state: 'attached' })
    const { disks } = await admin.call('instance_roll_back', call(ids))
    expect(disks.map(({ disk }) => [disk.id, disk.state.state])).toEqual([
      [boot.id, 'attached'],
      [data.id, 'attached'],
    ])
    await admin.call('instance_start', { params })
    await reaches(admin, id, 'running')
    expect(await admin.refusal('instance_roll_back', call(ids))).toMatchObject({
      message: instanceActions.rollBack.otherwise,
    })
    expect((await admin.refusal('instance_roll_back', call([]))).status).toBe(400)
  })
})

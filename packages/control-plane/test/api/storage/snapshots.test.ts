/** Control plane specification 7.5: snapshots and their bytes. */
import { randomBytes } from 'node:crypto'
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { contentsOf, importedDisk } from '../../support/storage.ts'
import { blankDisk, keepNothing, reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
const data = randomBytes(1024 * 1024)

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await keepNothing(admin)
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `snap-${count++}`
const blank = (values: object = {}) =>
  admin.call('disk_create', { query, body: blankDisk(fresh(), values) })
const snapshotOf = (disk: string, name = fresh()) =>
  admin.call('snapshot_create', { query, body: { name, description: 'kept', disk } })
const refusedSnapshot = (disk: string, name = fresh()) =>
  admin.refusal('snapshot_create', { query, body: { name, description: '', disk } })
const remove = (snapshot: string) => admin.call('snapshot_delete', { params: { snapshot } })
const diskOf = (snapshot_id: string, values: object = {}) =>
  blank({
    disk_backend: { type: 'distributed', disk_source: { type: 'snapshot', snapshot_id } },
    ...values,
  })
const storage = async () => (await admin.call('utilization_view')).provisioned.storage
/** The volumes and snapshots of the engine, which the API does not show. */
const held = async () => {
  const { volumes } = server.host.controlPlane.engines
  return { volumes: await volumes.list(), snapshots: await volumes.listSnapshots() }
}

describe('a new snapshot', () => {
  test('is ready when the call returns, and takes as much quota as its disk', async () => {
    const disk = await importedDisk(admin, 'work', fresh(), data)
    const before = await storage()
    const snapshot = await snapshotOf(disk.name)
    expect(snapshot).toMatchObject({
      description: 'kept',
      project_id: disk.project_id,
      disk_id: disk.id,
      size: disk.size,
      state: 'ready',
    })
    expect((await storage()) - before).toBe(disk.size)
    expect(data.equals(await contentsOf(admin, 'snapshots', snapshot.id, 0, data.length))).toBe(
      true,
    )
    await remove(snapshot.id)
    expect(await storage()).toBe(before)
  })

  test('says how consistent it is: of the disk of a machine that runs, and of a stopped one', async () => {
    const { id } = await admin.call('instance_create', {
      query,
      body: smallInstance(fresh(), {
        start: true,
        boot_disk: { type: 'create', ...blankDisk(fresh()) },
      }),
    })
    const { boot_disk_id } = await reaches(admin, id, 'running')
    const taken = await snapshotOf(boot_disk_id!)
    expect(taken.state).toBe('ready')
    expect(taken).not.toHaveProperty('consistency')
    const details = (snapshot: string) =>
      admin.call('snapshot_details_view', { params: { snapshot } })
    expect(await details(taken.id)).toEqual({ ...taken, consistency: 'crash_consistent' })
    await admin.call('instance_stop', { params: { instance: id } })
    await reaches(admin, id, 'stopped')
    const offline = await snapshotOf(boot_disk_id!)
    const search = { ...query, consistency: 'offline', search: offline.name }
    expect((await admin.call('snapshot_search', { query: search })).items).toEqual([
      { ...offline, consistency: 'offline' },
    ])
  })

  test('has a unique name', async () => {
    const disk = await blank()
    const { name } = await snapshotOf(disk.id)
    expect(await refusedSnapshot(disk.id, name)).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: snapshot "${name}"`,
    })
  })

  test('is refused for unsuitable disks', async () => {
    const local = await blank({ disk_backend: { type: 'local' } })
    expect(await refusedSnapshot(local.id)).toMatchObject({
      status: 400,
      message: "can't create a snapshot of a local storage disk",
    })
    const { id } = await snapshotOf((await blank()).id)
    const readOnly = await blank({
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'snapshot', snapshot_id: id, read_only: true },
      },
    })
    expect((await refusedSnapshot(readOnly.id)).message).toBe(
      "can't create a snapshot of a read-only disk",
    )
    const away = await admin.call('disk_create', {
      query: { project: 'elsewhere' },
      body: blankDisk('away'),
    })
    expect((await refusedSnapshot(away.id)).message).toBe(
      "can't create a snapshot of a disk in a different project",
    )
    expect((await refusedSnapshot('away')).message).toBe('not found: disk with name "away"')
    const importing = await blank({
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'importing_blocks', block_size: 512 },
      },
    })
    expect((await refusedSnapshot(importing.id)).message).toBe(
      "can't create a snapshot of a disk in state ImportReady",
    )
  })

  test('is refused when the quota is exhausted', async () => {
    const disk = await blank()
    await server.db.updateTable('silo').set({ quota_storage: 0 }).execute()
    const { status, error_code } = await refusedSnapshot(disk.id)
    await server.db
      .updateTable('silo')
      .set({ quota_storage: 2 ** 50 })
      .execute()
    expect([status, error_code]).toEqual([507, 'InsufficientCapacity'])
  })
})

describe('a disk made of a snapshot', () => {
  test('begins with its bytes, even if it is larger', async () => {
    const origin = await importedDisk(admin, 'work', fresh(), data, fresh())
    const snapshot = await snapshotOf(origin.id)
    const disk = await diskOf(snapshot.id, { size: 2 * GiB })
    expect(disk).toMatchObject({ snapshot_id: snapshot.id, block_size: 512 })
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, data.length))).toBe(true)
    const rest = await contentsOf(admin, 'disks', disk.id, GiB, 4096)
    expect(rest.equals(Buffer.alloc(4096))).toBe(true)
  })

  test('keeps them when the snapshot and its disk are deleted', async () => {
    const origin = await importedDisk(admin, 'work', fresh(), data)
    const snapshot = await snapshotOf(origin.id)
    const disk = await diskOf(snapshot.id)
    await admin.call('disk_delete', { params: { disk: origin.id } })
    expect(data.equals(await contentsOf(admin, 'snapshots', snapshot.id, 0, data.length))).toBe(
      true,
    )
    await remove(snapshot.id)
    await expect.poll(async () => (await held()).snapshots).not.toContain(snapshot.id)
    await expect.poll(async () => (await held()).volumes).not.toContain(origin.id)
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, data.length))).toBe(true)
  })

  test('gets them even if the snapshot is deleted before the disk is made', async () => {
    const origin = await importedDisk(admin, 'work', fresh(), data)
    const snapshot = await snapshotOf(origin.id)
    const { faults } = server.host.controlPlane.engines
    faults.inject((action) => {
      if (action === 'createVolume') throw new Error('not now')
    })
    const disk = await diskOf(snapshot.id)
    expect(disk.state).toEqual({ state: 'creating' })
    await remove(snapshot.id)
    faults.inject()
    await expect
      .poll(async () => (await admin.call('disk_view', { params: { disk: disk.id } })).state)
      .toEqual({ state: 'detached' })
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, data.length))).toBe(true)
    await expect.poll(async () => (await held()).snapshots).not.toContain(snapshot.id)
  })

  test('is refused for a failed snapshot', async () => {
    const { id } = await snapshotOf((await blank()).id)
    await server.db.updateTable('snapshot').set({ state: 'faulted' }).where('id', '=', id).execute()
    const disk_source = { type: 'snapshot', snapshot_id: id }
    const refusal = await admin.refusal('disk_create', {
      query,
      body: blankDisk(fresh(), { disk_backend: { type: 'distributed', disk_source } }),
    })
    expect(refusal.message).toBe('cannot create a disk of a snapshot in state Faulted')
    await remove(id)
  })
})

test('a snapshot is taken even if its disk is deleted meanwhile', async () => {
  const origin = await importedDisk(admin, 'work', fresh(), data)
  const { faults } = server.host.controlPlane.engines
  let failures = 0
  faults.inject((action) => {
    if (action === 'createSnapshot' && failures++ < 1) throw new Error('not now')
  })
  const created = snapshotOf(origin.id)
  await expect.poll(() => failures).toBe(1)
  await admin.call('disk_delete', { params: { disk: origin.id } })
  const { id } = await created
  faults.inject()
  const view = () => admin.call('snapshot_view', { params: { snapshot: id } })
  await expect.poll(async () => (await view()).state).toBe('ready')
  expect(data.equals(await contentsOf(admin, 'snapshots', id, 0, data.length))).toBe(true)
})

describe('delete', () => {
  test.each(['creating', 'destroyed'] as const)('is refused in state %s', async (state) => {
    const { id } = await snapshotOf((await blank()).id)
    await server.db.updateTable('snapshot').set({ state }).where('id', '=', id).execute()
    const refusal = await admin.refusal('snapshot_delete', { params: { snapshot: id } })
    expect(refusal).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: `snapshot cannot be deleted in state ${state === 'creating' ? 'Creating' : 'Destroyed'}`,
    })
  })

  test('frees the name', async () => {
    const disk = await blank()
    const { id, name } = await snapshotOf(disk.id)
    await remove(id)
    expect((await snapshotOf(disk.id, name)).id).not.toBe(id)
  })
})

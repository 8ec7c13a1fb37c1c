/** Control plane specification 7.1-7.3: disks, their sizes, sources and attachments. */
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiskTable } from '../../../src/resources/storage/disks/table.ts'
import type { Caller } from '../../support/caller.ts'
import { named } from '../../../src/kernel/search/name-key.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { blankDisk, reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `disk-${count++}`
const create = (values: object = {}) =>
  admin.call('disk_create', { query, body: blankDisk(fresh(), values) })
const backend = (disk_source: object) => ({ type: 'distributed', disk_source })

async function stoppedInstance(values: object = {}) {
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance(fresh(), values),
  })
  return reaches(admin, id, 'stopped')
}

describe('a new disk', () => {
  test('exists when the call returns', async () => {
    const disk = await create({ description: 'bytes' })
    expect(disk).toMatchObject({
      description: 'bytes',
      state: { state: 'detached' },
      block_size: 512,
      disk_type: 'distributed',
      read_only: false,
      image_id: null,
      snapshot_id: null,
      device_path: `/mnt/${disk.name}`,
    })
  })

  test.each([
    [{ disk_backend: { type: 'local' } }, { disk_type: 'local', block_size: 4096 }],
    [
      { disk_backend: backend({ type: 'importing_blocks', block_size: 2048 }) },
      { state: { state: 'import_ready' }, block_size: 2048 },
    ],
    [{ size: 1023 * GiB }, { size: 1023 * GiB }],
  ])('%j', async (values, expected) => {
    expect(await create(values)).toMatchObject(expected)
  })

  test('as a local disk is limited to the size of the largest physical disk', async () => {
    const { sleds } = await server.host.controlPlane.engines.hardware.inventory()
    const largest = Math.max(...sleds.flatMap(({ disks }) => disks.map(({ size }) => size)))
    const local = (size: number) =>
      blankDisk(fresh(), { size, disk_backend: { type: 'local' } as const })
    const over = await admin.refusal('disk_create', { query, body: local(largest + GiB) })
    expect(over.message).toContain('too large to fit on any physical disk')
    const disk = await admin.call('disk_create', { query, body: local(largest) })
    expect(disk.size).toBe(largest)
    await admin.call('disk_delete', { params: { disk: disk.id } })
  })

  test.each([
    [{ size: 512 }, 'unsupported value for "size": total size must be at least 1 GiB'],
    [{ size: GiB + 512 }, 'unsupported value for "size": total size must be a multiple of 1 GiB'],
    [
      { size: GiB + 1 },
      'unsupported value for "size and block_size": total size must be a multiple of block size 512',
    ],
    [{ size: 1024 * GiB }, 'unsupported value for "size": total size must be less than 1023 GiB'],
    [
      { size: 11 * 1024 ** 5, disk_backend: { type: 'local' } },
      'unsupported value for "size": requested size over 10 PiB',
    ],
    [
      { size: 1024 ** 5, disk_backend: { type: 'local' } },
      'unsupported value for "size": requested size is too large to fit on any physical disk',
    ],
  ])('%j is refused', async (values, message) => {
    const refusal = await admin.refusal('disk_create', { query, body: blankDisk(fresh(), values) })
    expect(refusal).toEqual({ status: 400, error_code: 'InvalidValue', message })
  })

  test('is at least as large as its image, or exactly so if read-only', async () => {
    const image = (await admin.call('image_list')).items.find(({ size }) => size === 2 * GiB)!
    const from = (values: object) => backend({ type: 'image', image_id: image.id, ...values })
    const refused = async (values: object) =>
      (await admin.refusal('disk_create', { query, body: blankDisk(fresh(), values) })).message
    expect(await refused({ disk_backend: from({}) })).toBe(
      `disk size ${GiB} must be greater than or equal to image size ${2 * GiB}`,
    )
    expect(await refused({ size: 3 * GiB, disk_backend: from({ read_only: true }) })).toBe(
      `read-only disk size ${3 * GiB} must be equal to source image size ${2 * GiB}`,
    )
    const disk = await create({ size: 2 * GiB, disk_backend: from({ read_only: true }) })
    expect(disk).toMatchObject({
      read_only: true,
      image_id: image.id,
      block_size: image.block_size,
    })
  })

  test('refuses a snapshot of another project', async () => {
    const { id: elsewhere } = await admin.call('project_view', { params: { project: 'elsewhere' } })
    const snapshot = {
      id: crypto.randomUUID(),
      ...named('snap'),
      description: '',
      time_created: '2026-01-01T00:00:00.000Z',
      time_modified: '2026-01-01T00:00:00.000Z',
      time_deleted: null,
      project_id: elsewhere,
      disk_id: crypto.randomUUID(),
      size: GiB,
      block_size: 512 as const,
      state: 'ready' as const,
    }
    await server.db.insertInto('snapshot').values(snapshot).execute()
    const refusal = await admin.refusal('disk_create', {
      query,
      body: blankDisk(fresh(), {
        disk_backend: backend({ type: 'snapshot', snapshot_id: snapshot.id }),
      }),
    })
    expect(refusal.message).toBe('snapshot does not belong to this project')
  })
})

describe('attach and detach', () => {
  const attach = (instance: string, disk: string) =>
    admin.call('instance_disk_attach', { params: { instance }, body: { disk } })
  const detach = (instance: string, disk: string) =>
    admin.call('instance_disk_detach', { params: { instance }, body: { disk } })
  const refusedAttach = async (instance: string, disk: string) =>
    (await admin.refusal('instance_disk_attach', { params: { instance }, body: { disk } })).message
  const refusedDetach = async (instance: string, disk: string) =>
    (await admin.refusal('instance_disk_detach', { params: { instance }, body: { disk } })).message

  test('go there and back, and may be repeated', async () => {
    const instance = await stoppedInstance()
    const disk = await create()
    const attached = { state: { state: 'attached', instance: instance.id } }
    expect(await attach(instance.id, disk.name)).toMatchObject(attached)
    expect(await attach(instance.id, disk.id)).toMatchObject(attached)
    expect(await detach(instance.id, disk.name)).toMatchObject({ state: { state: 'detached' } })
    expect(await detach(instance.id, disk.id)).toMatchObject({ state: { state: 'detached' } })
  })

  test('are refused for a disk of another instance', async () => {
    const [one, two] = [await stoppedInstance(), await stoppedInstance()]
    const disk = await create()
    await attach(one.id, disk.id)
    expect(await refusedAttach(two.id, disk.id)).toBe(
      `cannot attach disk "${disk.name}": disk is attached to another instance`,
    )
    expect(await refusedDetach(two.id, disk.id)).toBe(
      `cannot detach disk "${disk.name}": disk is attached to another instance`,
    )
    const away = await admin.call('disk_create', {
      query: { project: 'elsewhere' },
      body: blankDisk('away'),
    })
    expect(await refusedAttach(one.id, away.id)).toBe(
      'disk must be in the same project as the instance',
    )
    const importing = await create({
      disk_backend: backend({ type: 'importing_blocks', block_size: 512 }),
    })
    expect(await refusedAttach(one.id, importing.id)).toBe(
      `cannot attach disk "${importing.name}": invalid state import_ready`,
    )
  })

  test('are refused while the instance runs, and for a thirteenth disk', async () => {
    const instance = await stoppedInstance({
      boot_disk: { type: 'create', ...blankDisk(fresh()) },
      disks: Array.from({ length: 11 }, () => ({ type: 'create', ...blankDisk(fresh()) })),
    })
    const disk = await create()
    expect(await refusedAttach(instance.id, disk.id)).toBe(
      'cannot attach more than 12 disks to instance',
    )
    expect(
      await admin.refusal('instance_disk_detach', {
        params: { instance: instance.id },
        body: { disk: instance.boot_disk_id! },
      }),
    ).toMatchObject({ status: 409, message: 'boot disk cannot be detached' })
    await admin.call('instance_start', { params: { instance: instance.id } })
    await reaches(admin, instance.id, 'running')
    expect(await refusedAttach(instance.id, disk.id)).toBe(
      'cannot attach disk: instance is not fully stopped',
    )
    expect(await refusedDetach(instance.id, instance.boot_disk_id!)).toBe(
      'cannot detach disk: instance is not fully stopped',
    )
  })
})

describe('delete', () => {
  test('releases the quota and frees the name', async () => {
    const before = await admin.call('utilization_view')
    const disk = await create({ size: 5 * GiB })
    await admin.call('disk_delete', { params: { disk: disk.id } })
    expect(await admin.call('utilization_view')).toEqual(before)
    await admin.call('disk_create', { query, body: blankDisk(disk.name) })
  })

  const states: DiskTable['state'][] = [
    'creating',
    'import_ready',
    'finalizing',
    'maintenance',
    'attached',
  ]
  test.each(states)('is refused in state %s', async (state) => {
    const disk = await create()
    await server.db
      .updateTable('disk')
      .set({ state, instance_id: state === 'attached' ? crypto.randomUUID() : null })
      .where('id', '=', disk.id)
      .execute()
    expect(await admin.refusal('disk_delete', { params: { disk: disk.id } })).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: `disk cannot be deleted in state "${state}"`,
    })
  })
})

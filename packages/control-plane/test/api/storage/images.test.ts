/** Control plane specification 7.6: images of projects and of the silo. */
import { randomBytes } from 'node:crypto'
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { contentsOf, importedDisk } from '../../support/storage.ts'
import { blankDisk, detachedDisk, keepNothing } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
const data = randomBytes(64 * 1024)

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await keepNothing(admin)
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `image-${count++}`
async function takenSnapshot() {
  const name = fresh()
  await importedDisk(admin, 'work', name, data, name)
  return admin.call('snapshot_view', { params: { snapshot: name }, query })
}
const body = (id: string, name = fresh()) => ({
  name,
  description: 'made here',
  os: 'Plan 9',
  version: '4',
  source: { type: 'snapshot', id },
})
const silo = async (name?: string) =>
  admin.call('image_create', { body: body((await takenSnapshot()).id, name) })
const inProject = async (name?: string) =>
  admin.call('image_create', { query, body: body((await takenSnapshot()).id, name) })
const remove = (image: string) => admin.call('image_delete', { params: { image } })
const diskOf = (image_id: string) =>
  detachedDisk(admin, query, fresh(), {
    disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id } },
  })
const heldSnapshots = () => server.host.controlPlane.engines.volumes.listSnapshots()

describe('a new image', () => {
  test('belongs to the project, or without one to the silo', async () => {
    const snapshot = await takenSnapshot()
    const image = await admin.call('image_create', { query, body: body(snapshot.id) })
    expect(image).toMatchObject({
      description: 'made here',
      os: 'Plan 9',
      version: '4',
      project_id: snapshot.project_id,
      size: GiB,
      block_size: 512,
      digest: null,
    })
    const names = async (where: object) =>
      (await admin.call('image_list', { query: where })).items.map(({ name }) => name)
    expect(await names(query)).toContain(image.name)
    expect(await names({})).not.toContain(image.name)
    const ofSilo = await silo()
    expect(ofSilo.project_id).toBeNull()
    expect(await names({})).toContain(ofSilo.name)
    expect(await names(query)).not.toContain(ofSilo.name)
  })

  test('refuses unsuitable sources', async () => {
    const { id } = await takenSnapshot()
    const refused = async (where: object, source: string, name?: string) =>
      (await admin.refusal('image_create', { query: where, body: body(source, name) })).message
    expect(await refused({ project: 'elsewhere' }, id)).toBe(
      'snapshot does not belong to this project',
    )
    const nobody = crypto.randomUUID()
    expect(await refused(query, nobody)).toBe(`not found: snapshot with id "${nobody}"`)
    const mine = await inProject()
    expect(await refused(query, id, mine.name)).toBe(`already exists: project-image "${mine.name}"`)
    const shared = await silo()
    expect(await refused({}, id, shared.name)).toBe(`already exists: silo-image "${shared.name}"`)
    await server.db.updateTable('snapshot').set({ state: 'faulted' }).where('id', '=', id).execute()
    expect(await refused(query, id)).toBe('cannot create an image of a snapshot in state Faulted')
  })
})

describe('the bytes of an image', () => {
  test('are available to its disks, even after the snapshot was deleted', async () => {
    const snapshot = await takenSnapshot()
    const image = await admin.call('image_create', { query, body: body(snapshot.id) })
    await admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
    const disk = await diskOf(image.id)
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, data.length))).toBe(true)
    expect(await heldSnapshots()).toContain(snapshot.id)
    await remove(image.id)
    await expect.poll(heldSnapshots).not.toContain(snapshot.id)
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, data.length))).toBe(true)
  })

  test('stay until the last of its snapshot’s images is deleted', async () => {
    const snapshot = await takenSnapshot()
    const [one, two] = [
      await admin.call('image_create', { query, body: body(snapshot.id) }),
      await admin.call('image_create', { body: body(snapshot.id) }),
    ]
    await remove(one.id)
    await admin.call('snapshot_delete', { params: { snapshot: snapshot.id } })
    const disk = await diskOf(two.id)
    expect(data.equals(await contentsOf(admin, 'disks', disk.id, 0, data.length))).toBe(true)
    await remove(two.id)
    await expect.poll(heldSnapshots).not.toContain(snapshot.id)
  })

  test("of a silo's initial images are zeros", async () => {
    const { items } = await admin.call('image_list')
    const { id, size } = items.find(({ name }) => name === 'debian-13')!
    const disk = await admin.call('disk_create', {
      query,
      body: blankDisk(fresh(), {
        size,
        disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id: id } },
      }),
    })
    const start = await contentsOf(admin, 'disks', disk.id, 0, 4096)
    expect(start.equals(Buffer.alloc(4096))).toBe(true)
  })
})

describe('promote and demote', () => {
  const promote = (image: string, where = {}) =>
    admin.call('image_promote', { params: { image }, query: where })
  const demote = (image: string, project = 'work') =>
    admin.call('image_demote', { params: { image }, query: { project } })

  test('move an image, which keeps its id', async () => {
    const image = await inProject()
    const promoted = await promote(image.name, query)
    expect(promoted).toMatchObject({ id: image.id, project_id: null })
    expect(await admin.call('image_view', { params: { image: image.name } })).toEqual(promoted)
    const demoted = await demote(image.name, 'elsewhere')
    expect(demoted.id).toBe(image.id)
    expect(demoted.project_id).not.toBeNull()
    const found = await admin.call('image_view', {
      params: { image: image.name },
      query: { project: 'elsewhere' },
    })
    expect(found).toEqual(demoted)
  })

  test('are refused in the wrong direction, and when the name is taken', async () => {
    const [mine, shared] = [await inProject(), await silo()]
    const refusedPromote = async (image: string) =>
      (await admin.refusal('image_promote', { params: { image } })).message
    const refusedDemote = async (image: string) =>
      (await admin.refusal('image_demote', { params: { image }, query })).message
    expect(await refusedPromote(shared.id)).toBe('Cannot promote a silo image')
    expect(await refusedDemote(mine.id)).toBe('Cannot demote a project image')
    await silo(mine.name)
    expect(await refusedPromote(mine.id)).toBe(`already exists: silo-image "${mine.name}"`)
    await inProject(shared.name)
    expect(await refusedDemote(shared.id)).toBe(`already exists: project-image "${shared.name}"`)
    expect(await refusedDemote('nothing')).toBe('not found: silo-image with name "nothing"')
  })
})

test('delete frees the name', async () => {
  const { id, name } = await silo()
  await remove(id)
  expect((await admin.refusal('image_view', { params: { image: id } })).message).toBe(
    `not found: image with id "${id}"`,
  )
  await silo(name)
})

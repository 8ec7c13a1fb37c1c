/** Control plane specification 10.6: trust roots, and repositories of releases. */
import { createHash } from 'node:crypto'
import { FLEET_ID, requiredArtifacts, UPDATE_UPLOADS_MAX } from '@steading/api/rules'
import { makeTrustRoot, newKeys, signerOf } from '@steading/tuf'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ControlPlaneServices } from '../../../src/kernel/services.ts'
import { purgeUploads } from '../../../src/resources/maintenance/update-repositories/uploads.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  addRelease,
  createPublisher,
  type Publisher,
  sendBytes,
  sendRepository,
  trustedPublisher,
} from '../../support/updates.ts'

let server: TestServer
let admin: Caller
let publisher: Publisher

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  publisher = await trustedPublisher(admin)
})
afterAll(() => server.close())

const nowhere = crypto.randomUUID()
const volumes = () => server.host.controlPlane.engines.volumes.list()

describe('trust roots', () => {
  test('are added, shown, listed and deleted', async () => {
    const { root } = await createPublisher()
    const made = await admin.call('system_update_trust_root_create', { body: root })
    expect(made.root_role).toEqual(root)
    const params = { trust_root_id: made.id }
    expect(await admin.call('system_update_trust_root_view', { params })).toEqual(made)
    const { items } = await admin.call('system_update_trust_root_list')
    expect(items).toContainEqual(made)
    expect(items).toHaveLength(2)
    await admin.call('system_update_trust_root_delete', { params })
    expect(await admin.refusal('system_update_trust_root_delete', { params })).toMatchObject({
      status: 404,
      message: `not found: trust-root with id "${made.id}"`,
    })
  })

  test('may be added again, and count until the last copy is deleted', async () => {
    const other = await createPublisher()
    const add = () => admin.call('system_update_trust_root_create', { body: other.root })
    const [first, second] = [await add(), await add()]
    expect(second).toMatchObject({ root_role: first.root_role })
    expect(second.id).not.toBe(first.id)
    for (const { id } of [first, second]) {
      await admin.call('system_update_trust_root_delete', { params: { trust_root_id: id } })
    }
  })

  test.each([
    [null, 'is not TUF metadata of the role root'],
    ['text', 'is not TUF metadata of the role root'],
    [[], 'is not TUF metadata of the role root'],
    [{ signed: { _type: 'targets' }, signatures: [] }, 'signed._type'],
  ])('refuse %j', async (body, problem) => {
    const answer = await admin.refused('POST', '/v1/system/update/trust-roots', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 400, error_code: 'InvalidRequest' })
    expect(answer.message).toContain('The trust root cannot be used: the root role')
    expect(answer.message).toContain(problem)
  })

  test('must not have expired, and must sign themselves', async () => {
    const signer = await signerOf(await newKeys())
    const old = await makeTrustRoot(signer, { expires: new Date(Date.now() - 1000) })
    expect(await admin.refusal('system_update_trust_root_create', { body: old })).toMatchObject({
      status: 400,
      message: expect.stringContaining('the root role expired at'),
    })
    const { root } = await createPublisher()
    const other = { ...root, signatures: publisher.root.signatures }
    expect(await admin.refusal('system_update_trust_root_create', { body: other })).toMatchObject({
      status: 400,
      message:
        'The trust root cannot be used: the root role is signed by 0 of the 1 keys that it needs',
    })
  })
})

describe('a release', () => {
  test('is uploaded in one call, and listed by its version', async () => {
    const archive = await publisher.release('1.10.0')
    const hash = createHash('sha256').update(archive).digest('hex')
    const { status, body } = await sendRepository(admin, archive, 'steading 1.10.0.zip')
    const repo = {
      hash,
      file_name: 'steading 1.10.0.zip',
      system_version: '1.10.0',
      time_created: expect.any(String),
    }
    expect([status, body]).toEqual([200, { repo, status: 'inserted' }])
    const params = { system_version: '1.10.0' }
    expect(await admin.call('system_update_repository_view', { params })).toEqual(repo)

    expect((await sendRepository(admin, archive)).body).toEqual({ repo, status: 'already_exists' })
    const { time_created: _, ...known } = repo
    const more = [...requiredArtifacts, 'psc_sp']
    const other = await sendRepository(admin, await publisher.release('1.10.0', more))
    expect(other.body).toMatchObject({
      error_code: 'Conflict',
      message: expect.stringMatching(
        new RegExp(
          `^Uploaded repository with system version 1.10.0 has SHA256 hash \\w{64}, but existing repository has SHA256 hash ${known.hash}.$`,
        ),
      ),
    })

    for (const version of ['1.9.0', '2.0.0-rc.1', '2.0.0'])
      await addRelease(admin, publisher, version)
    const versions = async (query: object) =>
      (await admin.call('system_update_repository_list', { query })).items.map(
        ({ system_version }) => system_version,
      )
    const newestFirst = ['2.0.0', '2.0.0-rc.1', '1.10.0', '1.9.0']
    expect(await versions({})).toEqual(newestFirst)
    expect(await versions({ sort_by: 'version_ascending' })).toEqual(newestFirst.toReversed())
    const page = await admin.call('system_update_repository_list', { query: { limit: 3 } })
    expect(await versions({ page_token: page.next_page! })).toEqual(['1.9.0'])
  })

  test('is not found under an unknown version', async () => {
    const params = { system_version: '9.9.9' }
    expect(await admin.refusal('system_update_repository_view', { params })).toMatchObject({
      status: 404,
      message: 'not found: tuf-repo with name "9.9.9"',
    })
    const bad = await admin.refused('GET', '/v1/system/update/repositories/v1')
    expect(bad.status).toBe(400)
  })

  test.each<[string, () => Promise<BodyInit>, string]>([
    ['is no archive', async () => 'nothing', 'the file is not a zip archive, or it is cut off'],
    ['is empty', async () => '', 'the file is not a zip archive, or it is cut off'],
    [
      'is cut off',
      async () => (await publisher.release('3.0.0')).slice(0, -40),
      'the file is not a zip archive, or it is cut off',
    ],
    [
      'is signed by a stranger',
      async () => (await createPublisher()).release('3.0.0'),
      'timestamp.json is signed by 0 of the 1 keys that it needs',
    ],
    [
      'lacks artifacts',
      () => publisher.release('3.0.0', requiredArtifacts.slice(2)),
      `the repository has no artifact of kind ${requiredArtifacts.slice(0, 2).join(', ')}`,
    ],
    [
      'has a strange version',
      () => publisher.release('3.0'),
      'the system version of the repository, "3.0", is not a semantic version',
    ],
  ])('that %s is refused, and leaves nothing behind', async (_, archive, problem) => {
    const before = await volumes()
    const { status, body } = await sendRepository(admin, await archive())
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        error_code: 'InvalidRequest',
        message: `The repository cannot be used: ${problem}`,
      }),
    ])
    expect((await volumes()).toSorted()).toEqual(before.toSorted())
    expect(await server.db.selectFrom('update_upload').select('id').execute()).toEqual([])
  })

  test('leaves nothing behind if the client disconnects', async () => {
    const before = await volumes()
    const abort = new AbortController()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1000)),
    })
    const sent = admin.fetch('/v1/system/update/repositories?file_name=a.zip', {
      method: 'PUT',
      body,
      duplex: 'half',
      signal: abort.signal,
      headers: { 'content-type': 'application/octet-stream' },
    } as RequestInit)
    const uploads = () => server.db.selectFrom('update_upload').select('id').execute()
    await expect.poll(async () => (await uploads()).length).toBe(1)
    abort.abort()
    await expect(sent).rejects.toThrow('aborted')
    await expect.poll(uploads).toEqual([])
    await expect.poll(async () => (await volumes()).toSorted()).toEqual(before.toSorted())
  })

  test.each(['', 'a/b.zip', 'a\nb.zip', 'x'.repeat(256)])('with the file name %j', async (name) => {
    expect(await sendRepository(admin, 'x', name)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('unsupported value for "file_name": ') },
    })
  })
})

describe('an upload in pieces', () => {
  const begin = (size: number, file_name = 'release.zip') =>
    admin.call('update_upload_create', { body: { file_name, size } })
  const write = (id: string, offset: number, data: Uint8Array<ArrayBuffer>) =>
    sendBytes(admin, 'PUT', `/x/v1/system/update/uploads/${id}/contents?offset=${offset}`, data)

  test('continues where it stopped, and becomes a release', async () => {
    const archive = await publisher.release('4.0.0')
    const middle = 2048
    const { id, ...upload } = await begin(archive.length)
    expect(upload).toMatchObject({ size: archive.length, written: [], file_name: 'release.zip' })
    const params = { upload_id: id }
    await write(id, middle, archive.slice(middle))
    const view = await admin.call('update_upload_view', { params })
    expect(view.written).toEqual([{ offset: middle, length: archive.length - middle }])
    expect((await admin.call('update_upload_list')).items).toEqual([view])
    expect(await admin.refusal('update_upload_finish', { params })).toMatchObject({
      status: 400,
      message: `${middle} bytes of the upload have not arrived`,
    })
    await write(id, 0, archive.slice(0, middle))
    const { repo, status } = await admin.call('update_upload_finish', { params })
    expect([repo.system_version, status]).toEqual(['4.0.0', 'inserted'])
    expect((await admin.call('update_upload_list')).items).toEqual([])
    expect(await admin.refusal('update_upload_finish', { params })).toMatchObject({ status: 404 })
    expect(await volumes()).toContain(id)
  })

  test('refused for lack of a trust root is finished once there is one', async () => {
    const other = await createPublisher()
    const archive = await other.release('5.0.0')
    const { id } = await begin(archive.length)
    const params = { upload_id: id }
    await write(id, 0, archive)
    expect(await admin.refusal('update_upload_finish', { params })).toMatchObject({
      status: 400,
      message: expect.stringContaining('is signed by 0 of the 1 keys'),
    })
    await admin.call('system_update_trust_root_create', { body: other.root })
    const done = await admin.call('update_upload_finish', { params })
    expect(done.repo.system_version).toBe('5.0.0')
  })

  test('becomes one release, however often it is finished at once', async () => {
    const archive = await publisher.release('6.0.0')
    const { id } = await begin(archive.length)
    await write(id, 0, archive)
    const path = `/x/v1/system/update/uploads/${id}/finish`
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => admin.send('POST', path, { body: undefined })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // The others came during that, or after it.
    expect(statuses.every((status) => [200, 404, 409].includes(status))).toBe(true)
  })

  test('can be deleted with its bytes', async () => {
    const { id } = await begin(1000)
    await write(id, 0, new Uint8Array(10))
    expect(await volumes()).toContain(id)
    const params = { upload_id: id }
    await admin.call('update_upload_delete', { params })
    expect(await volumes()).not.toContain(id)
    expect(await admin.refusal('update_upload_view', { params })).toMatchObject({ status: 404 })
    expect((await write(id, 0, new Uint8Array(1))).status).toBe(404)
  })

  test('refuses bytes beyond its end, and has a size', async () => {
    const { id } = await begin(1000)
    expect(await write(id, 999, new Uint8Array(2))).toMatchObject({
      status: 400,
      body: { message: 'data goes past the end of the upload' },
    })
    expect((await write(id, 2 ** 60, new Uint8Array(2))).status).toBe(400)
    for (const size of [0, 5 * 1024 ** 3]) {
      const body = { file_name: 'a.zip', size }
      expect(await admin.refusal('update_upload_create', { body })).toMatchObject({
        status: 400,
        message: 'unsupported value for "size": must be between 1 and 4294967296 bytes',
      })
    }
    await admin.call('update_upload_delete', { params: { upload_id: id } })
    expect(
      await admin.refusal('update_upload_delete', { params: { upload_id: nowhere } }),
    ).toMatchObject({ status: 404, message: `not found: update-upload with id "${nowhere}"` })
  })

  test('counts towards the few that a user has at once', async () => {
    const body = { file_name: 'a.zip', size: 1000 }
    const { items } = await admin.call('update_upload_list')
    const mine: string[] = []
    for (let count = items.length; count < UPDATE_UPLOADS_MAX; count++) {
      mine.push((await begin(1000)).id)
    }
    const tooMany = {
      status: 429,
      message: 'a user can have 4 uploads of releases at once; finish or cancel one of them',
    }
    expect(await admin.refusal('update_upload_create', { body })).toMatchObject(tooMany)
    expect(await sendRepository(admin, 'x')).toMatchObject({
      status: 429,
      body: { message: tooMany.message },
    })
    const { caller } = await server.createUser('other-operator', { fleet: 'admin' })
    const other = await caller.call('update_upload_create', { body })
    // Deleting one makes room for another.
    await admin.call('update_upload_delete', { params: { upload_id: mine.pop()! } })
    mine.push((await begin(1000)).id)
    for (const upload_id of [...mine, other.id]) {
      await admin.call('update_upload_delete', { params: { upload_id } })
    }
  })

  test('begun at once with others stays within the limit', async () => {
    const { caller } = await server.createUser('hasty-operator', { fleet: 'admin' })
    const body = JSON.stringify({ file_name: 'a.zip', size: 1000 })
    const headers = { 'content-type': 'application/json' }
    const answers = await Promise.all(
      Array.from({ length: 3 * UPDATE_UPLOADS_MAX }, () =>
        caller.send('POST', '/x/v1/system/update/uploads', { body, headers }),
      ),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(UPDATE_UPLOADS_MAX)
    for (const { body: upload } of made) {
      const params = { upload_id: (upload as { id: string }).id }
      await caller.call('update_upload_delete', { params })
    }
  })

  test('is refused without enough space', async () => {
    const full = await startTestServer({ keepFree: Number.MAX_SAFE_INTEGER })
    onTestFinished(() => full.close())
    const body = { file_name: 'a.zip', size: 1 }
    const refusal = {
      status: 507,
      error_code: 'InsufficientCapacity',
      message:
        'Insufficient capacity: the server has space for 0 more bytes, besides the uploads in progress',
    }
    expect(await full.admin.refusal('update_upload_create', { body })).toMatchObject(refusal)
    expect(await sendRepository(full.admin, 'x')).toMatchObject({
      status: 507,
      body: { message: refusal.message },
    })
    expect(await full.db.selectFrom('update_upload').select('id').execute()).toEqual([])
  })

  test('expires: a single call after an hour, pieces after a day', async () => {
    const { database, engines } = server.host.controlPlane
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const insert = async (resumable: 0 | 1, hours: number) => {
      const id = crypto.randomUUID()
      const time = { time_created: hoursAgo(hours), time_modified: hoursAgo(hours) }
      const about = { id, fleet_id: FLEET_ID, user_id: null, file_name: 'a.zip', size: 9 }
      await server.db
        .insertInto('update_upload')
        .values({ ...about, resumable, sealed: 0, ...time })
        .execute()
      return id
    }
    const [call, , piece] = [await insert(0, 0.9), await insert(0, 1.1), await insert(1, 23)]
    await insert(1, 25)
    const services = { database, volumes: engines.volumes, clock: () => new Date() }
    await purgeUploads(services as ControlPlaneServices)
    const rows = await server.db.selectFrom('update_upload').select('id').execute()
    expect(rows.map(({ id }) => id).toSorted()).toEqual([call, piece].toSorted())
    await server.db.deleteFrom('update_upload').execute()
  })

  test('keeps its bytes when orphans are removed', async () => {
    const { id } = await begin(10)
    await write(id, 0, new Uint8Array(10))
    const { volumesWithOwner } = await import('../../../src/kernel/orphaned-bytes.ts')
    const repositories = await server.db.selectFrom('update_repository').select('id').execute()
    const ids = [id, ...repositories.map((row) => row.id)]
    const owned = await volumesWithOwner(server.db, [...ids, nowhere])
    expect(owned.map((row) => row.id).toSorted()).toEqual(ids.toSorted())
    await admin.call('update_upload_delete', { params: { upload_id: id } })
  })
})

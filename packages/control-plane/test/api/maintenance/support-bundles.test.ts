/** Support bundles: their contents, downloads and complete deletion (10.4). */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import type { Wire } from '@steading/api'
import { BUNDLES_MAX, supportBundleMessages } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { BASELINE } from '../../../src/kernel/db/baseline.ts'
import { NoSpaceError } from '../../../src/kernel/ports/block-store.ts'
import { addBundle, downloadPath, fileOf, filesOf } from '../../support/bundles.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
/** An active bundle that no test changes. */
let bundle: string
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  bundle = (await addBundle(admin, 'It is slow')).id
})
afterAll(() => server.close())

const view = (id: string) => admin.call('support_bundle_view', { params: { bundle_id: id } })
const remove = (id: string) => admin.call('support_bundle_delete', { params: { bundle_id: id } })
const gone = (id: string) =>
  until(
    () => admin.send('GET', `/v1/system/support-bundles/${id}`),
    ({ status }) => expect(status).toBe(404),
  )
/** Size and digest of each file in a zip file, read according to APPNOTE.TXT. */
function unzipped(zip: Buffer): Record<string, [size: number, sha256: string]> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const files: Record<string, [number, string]> = {}
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    expect(zip.toString('latin1', at, at + 4)).toBe('PK\x01\x02')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    )
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes!)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    const data = zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed
    expect(crc32(data)).toBe(zip.readUInt32LE(at + 16))
    expect(data.length).toBe(zip.readUInt32LE(at + 24))
    files[name] = [data.length, createHash('sha256').update(data).digest('hex')]
    at += 46 + nameBytes! + extraBytes! + commentBytes!
  }
  return files
}

/** A row in a state in which it does not change. */
async function addRow(state: Wire.SupportBundleState): Promise<string> {
  const row = await server.db
    .selectFrom('support_bundle')
    .selectAll()
    .where('id', '=', bundle)
    .executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  await server.db
    .insertInto('support_bundle')
    .values({ ...row, id, state, volume_id: null })
    .execute()
  onTestFinished(async () => {
    await server.db.deleteFrom('support_bundle').where('id', '=', id).execute()
  })
  return id
}
const volumes = () => server.host.controlPlane.engines.volumes.list()

describe('the contents of a bundle', () => {
  test('are a zip file, whose manifest lists the other files', async () => {
    const bytes = Buffer.from(await (await admin.fetch(downloadPath(bundle))).arrayBuffer())
    const read = unzipped(bytes)
    const { 'manifest.json': own, ...others } = read
    expect(own).toBeDefined()
    const manifest = JSON.parse(await fileOf(admin, bundle, 'manifest.json')) as {
      bundle: string
      files: { name: string; size: number; sha256: string; problem?: string }[]
    }
    expect(manifest.bundle).toBe(bundle)
    expect(manifest.files.filter(({ problem }) => problem)).toEqual([])
    expect(
      Object.fromEntries(manifest.files.map(({ name, size, sha256 }) => [name, [size, sha256]])),
    ).toEqual(others)
    expect((await filesOf(admin, bundle)).toSorted()).toEqual(Object.keys(read).toSorted())
  })

  test('include versions, database statistics, hardware, the audit log and the log', async () => {
    const { id } = await addBundle(admin)
    const json = async (file: string) => JSON.parse(await fileOf(admin, id, file))
    expect(await json('versions.json')).toMatchObject({ node: process.version })
    const statistics = await json('database/statistics.json')
    expect(statistics.tables.silo_user.rows).toBe(1)
    const applied = await json('database/migrations.json')
    expect(applied.map(({ name }: { name: string }) => name)).toContain(BASELINE)
    const sleds = await admin.call('sled_list')
    expect(await json('inventory/sleds.json')).toHaveLength(sleds.items.length)
    expect((await json('inventory/seen.json')).switches).toHaveLength(2)
    const audit = await json('audit-log.json')
    expect(audit[0]).toMatchObject({ operation_id: 'support_bundle_create', status: 201 })
    // Both contain names of tenants' things.
    for (const column of ['request_uri', 'error_message'])
      expect(audit[0]).not.toHaveProperty(column)
    expect(await json('state/support-bundles.json')).toContainEqual(
      expect.objectContaining({ id, state: 'collecting' }),
    )
    expect(await json('configuration/server.json')).toMatchObject({ data: server.data })
    await remove(id)
  })

  test('include the log of all servers, without anything that looks like a secret', async () => {
    const directory = join(server.data, 'log')
    mkdirSync(directory, { recursive: true })
    const told = 'no luck with password=hunter2 and oxide-token-abcdef at postgres://me:pw@db/x'
    writeFileSync(join(directory, 'other.jsonl'), `${JSON.stringify({ message: told })}\n`)
    const { id } = await addBundle(admin)
    expect(JSON.parse(await fileOf(admin, id, 'log/other.jsonl'))).toEqual({
      message: 'no luck with password=[left out] and [left out] at postgres://me:[left out]@db/x',
    })
    await remove(id)
  })
})

describe('downloads', () => {
  test('ranges, from either end, and invalid ones', async () => {
    const whole = Buffer.from(await (await admin.fetch(downloadPath(bundle))).arrayBuffer())
    const part = async (range: string, headers = {}) => {
      const response = await admin.fetch(downloadPath(bundle), { headers: { range, ...headers } })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const first = await part('bytes=10-19')
    expect(first.response.status).toBe(206)
    expect(first.response.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`)
    expect(first.bytes).toEqual(whole.subarray(10, 20))
    expect((await part('bytes=-5')).bytes).toEqual(whole.subarray(-5))
    const outside = await part(`bytes=${whole.length}-`)
    expect(outside.response.status).toBe(416)
    expect(outside.response.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    for (const bad of ['bytes=9-1', 'bytes=0-1,3-4', 'lines=1-2']) {
      const { response, bytes } = await part(bad)
      expect(response.status).toBe(400)
      expect(JSON.parse(bytes.toString()).message).toBe(supportBundleMessages.badRange)
    }
    const etag = first.response.headers.get('etag')!
    expect((await part('bytes=10-19', { 'if-range': etag })).response.status).toBe(206)
    expect((await part('bytes=10-19', { 'if-range': '"other"' })).bytes).toEqual(whole)
    const head = await admin.fetch(downloadPath(bundle), { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(whole.length))
    expect(head.headers.get('content-type')).toBe('application/zip')
  })

  test('single files, whole or in part, even by the old paths', async () => {
    const text = await fileOf(admin, bundle, 'database/statistics.json')
    for (const start of ['/v1', '/experimental/v1']) {
      const path = `${start}${downloadPath(bundle, 'database/statistics.json').slice(3)}`
      const response = await admin.fetch(path, { headers: { range: 'bytes=2-9' } })
      expect([response.status, await response.text()]).toEqual([206, text.slice(2, 10)])
      const head = await admin.fetch(path, { method: 'HEAD' })
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      expect(await head.text()).toBe('')
    }
    expect(
      await admin.refusal('support_bundle_download_file', {
        params: { bundle_id: bundle, file: 'none' },
      }),
    ).toMatchObject({ status: 404, error_code: 'ObjectNotFound' })
  })

  test('only an active bundle', async () => {
    for (const state of ['collecting', 'failed', 'destroying'] as const) {
      const params = { bundle_id: await addRow(state) }
      for (const operation of ['support_bundle_download', 'support_bundle_index'] as const) {
        expect(await admin.refusal(operation, { params })).toMatchObject({
          status: 400,
          message: supportBundleMessages.notActive,
        })
      }
    }
  })

  test('an open download ends when its user loses the permission', async () => {
    const { caller, id } = await server.createUser('leaving', { fleet: 'viewer' })
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    // More than the buffers in between hold.
    await server.db
      .updateTable('support_bundle')
      .set({ size: 64 * 2 ** 20 })
      .where('id', '=', bundle)
      .execute()
    const response = await caller.fetch(downloadPath(bundle))
    const reader = response.body!.getReader()
    await reader.read()
    await server.db.deleteFrom('role_assignment').where('identity_id', '=', id).execute()
    await until(
      () => caller.send('GET', `/v1/system/support-bundles/${bundle}`),
      ({ status }) => expect(status).toBe(404),
    )
    const rest = async () => {
      for (;;) {
        const { done } = await reader.read()
        if (done) return
      }
    }
    await expect(rest()).rejects.toThrow('terminated')
  })
})

describe('deletion', () => {
  test('removes the bytes, even after a step died before recording them', async () => {
    const { id } = await addBundle(admin)
    const row = server.db.selectFrom('support_bundle').select('volume_id').where('id', '=', id)
    const { volume_id } = await row.executeTakeFirstOrThrow()
    expect(await volumes()).toContain(volume_id)
    await server.host.controlPlane.engines.volumes.delete(volume_id!)
    await remove(id)
    await gone(id)
    expect(await volumes()).not.toContain(volume_id)
  })

  test('deletes many at once, and refuses one that is being deleted', async () => {
    const ids = [(await addBundle(admin)).id, (await addBundle(admin)).id, await addRow('failed')]
    const deleting = await addRow('destroying')
    const before = await volumes()
    const job = await admin.call('job_create', {
      body: {
        action: 'delete',
        kind: 'support_bundle',
        target: { type: 'ids', ids: [...ids, deleting] },
      },
    })
    expect(job.counts).toMatchObject({ waiting: 3, refused: 1 })
    await admin.call('job_start', { params: { job: job.id } })
    for (const id of ids) await gone(id)
    expect(await volumes()).toHaveLength(before.length - 2)
    expect(
      await admin.refusal('support_bundle_delete', { params: { bundle_id: deleting } }),
    ).toMatchObject({ status: 400, message: 'support bundle is being deleted' })
  })

  test('a full disk ends a collection; a failed bundle is gone at once', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const { faults } = server.host.controlPlane.engines
    faults.inject((action) => {
      if (action === 'writeVolume') throw new NoSpaceError('full')
    })
    onTestFinished(() => faults.inject())
    const before = await volumes()
    const { id } = await admin.call('support_bundle_create', { body: {} })
    const failed = await until(
      () => view(id),
      ({ state }) => expect(state).toBe('failed'),
    )
    expect(failed.reason_for_failure).toBe(supportBundleMessages.diskFull)
    expect(await volumes()).toEqual(before)
    faults.inject()
    await remove(id)
    expect((await admin.send('GET', `/v1/system/support-bundles/${id}`)).status).toBe(404)
  })
})

describe('comments and limits', () => {
  test('a comment is changed and removed, and has a limit', async () => {
    const params = { bundle_id: bundle }
    const update = (user_comment: string | null) =>
      admin.call('support_bundle_update', { params, body: { user_comment } })
    expect((await update('ü'.repeat(2048))).user_comment).toHaveLength(2048)
    for (const operation of ['support_bundle_update', 'support_bundle_create'] as const) {
      expect(
        await admin.refusal(operation, { params, body: { user_comment: `${'ü'.repeat(2048)}x` } }),
      ).toMatchObject({
        status: 400,
        error_code: 'InvalidRequest',
        message: supportBundleMessages.commentTooLong,
      })
    }
    expect((await update(null)).user_comment).toBeNull()
  })

  test('keeps only a limited number', async () => {
    const before = await server.db.selectFrom('support_bundle').selectAll().execute()
    const [row] = before.filter(({ id }) => id === bundle)
    const live = before.filter(({ time_deleted }) => time_deleted === null)
    const more = Array.from({ length: BUNDLES_MAX - live.length }, () => ({
      ...row!,
      id: crypto.randomUUID(),
      state: 'failed' as const,
      volume_id: null,
    }))
    await server.db.insertInto('support_bundle').values(more).execute()
    for (const path of ['/v1', '/experimental/v1']) {
      const options = path === '/v1' ? { body: {} } : {}
      const answer = await admin.send('POST', `${path}/system/support-bundles`, options)
      expect(answer.status).toBe(507)
      expect(answer.body).toMatchObject({ error_code: 'InsufficientCapacity' })
    }
    const ids = more.map(({ id }) => id)
    await server.db.deleteFrom('support_bundle').where('id', 'in', ids).execute()
    // Older clients send no body, or a comment.
    const former = '/experimental/v1/system/support-bundles'
    const made = await admin.send('POST', former)
    expect(made).toMatchObject({ status: 201, body: { state: 'collecting', user_comment: null } })
    const body = { user_comment: 'It is slow' }
    const commented = await admin.send('POST', former, { body })
    expect(commented).toMatchObject({ status: 201, body })
    const { id } = commented.body as { id: string }
    const changed = { user_comment: 'It is fast again' }
    expect(await admin.send('PUT', `${former}/${id}`, { body: changed })).toMatchObject({
      status: 200,
      body: { id, ...changed },
    })
    expect((await admin.send('GET', `${former}/${id}`)).body).toMatchObject(changed)
    expect((await admin.send('POST', former, { body: { user_comment: 5 } })).status).toBe(400)
  })
})

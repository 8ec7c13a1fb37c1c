/** Control plane specification 7.4: uploading and downloading the bytes of disks. */
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiskTable } from '../../src/resources/storage/disks/table.ts'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { contentsOf, importedDisk, importingDisk, write } from '../support/storage.ts'
import { blankDisk, detachedDisk } from '../support/things.ts'

const KiB = 1024
const MiB = 1024 * KiB

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `import-${count++}`
const importing = () => importingDisk(admin, 'work', fresh())
const view = (disk: string) => admin.call('disk_view', { params: { disk } })
const stop = (disk: string) => admin.call('disk_bulk_write_import_stop', { params: { disk } })
const start = (disk: string) => admin.call('disk_bulk_write_import_start', { params: { disk } })
const refusedWrite = async (disk: string, offset: number, base64_encoded_data: string) =>
  (
    await admin.refusal('disk_bulk_write_import', {
      params: { disk },
      body: { offset, base64_encoded_data },
    })
  ).message

describe('a checksum of pieces', () => {
  test('is the sum of the sums', async () => {
    const data = randomBytes(5 * MiB + 512)
    const { id } = await importedDisk(admin, 'work', fresh(), data)
    const hex = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
    for (const piece of [MiB, 2 * MiB, 5 * MiB + 512, 64 * MiB]) {
      let sums = ''
      for (let at = 0; at < data.length; at += piece) sums += hex(data.subarray(at, at + piece))
      const query = { length: data.length, piece }
      const { sha256 } = await admin.call('disk_checksum', { params: { disk: id }, query })
      expect([piece, sha256]).toEqual([piece, hex(sums)])
    }
    const none = await admin.call('disk_checksum', {
      params: { disk: id },
      query: { length: 0, piece: MiB },
    })
    expect(none.sha256).toBe(hex(''))
    const query = { piece: MiB - 1 }
    expect(await admin.refusal('disk_checksum', { params: { disk: id }, query })).toMatchObject({
      status: 400,
      message: `piece: may not be less than ${MiB} bytes`,
    })
  })
})

test('the checksum of a large disk says that it is being computed @long', async () => {
  const { id } = await importedDisk(admin, 'work', fresh(), randomBytes(512))
  const length = 33 * MiB
  const answer = await admin.fetch(`/x/v1/disks/${id}/checksum?length=${length}`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const text = await answer.text()
  // A blank for each part that took time.
  expect(text).toMatch(/^ \{/)
  const all = await admin.fetch(`/x/v1/disks/${id}/contents`, {
    headers: { range: `bytes=0-${length - 1}` },
  })
  const bytes = Buffer.from(await all.arrayBuffer())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(JSON.parse(text)).toEqual({ length, sha256 })
})

describe('raw bytes', () => {
  const put = (disk: string, offset: number | string, data: Buffer, type?: string) =>
    admin.fetch(`/x/v1/disks/${disk}/contents?offset=${offset}`, {
      method: 'PUT',
      headers: type === undefined ? {} : { 'content-type': type },
      body: new Uint8Array(data),
    })
  const refused = async (...args: Parameters<typeof put>) => {
    const response = await put(...args)
    expect(response.status).toBe(400)
    return ((await response.json()) as { message: string }).message
  }

  test('are downloaded as sent, and recorded as written', async () => {
    const { id } = await importing()
    const data = randomBytes(4 * MiB)
    // Across two files of the volume.
    for (const offset of [0, 62 * MiB]) {
      expect((await put(id, offset, data, 'application/octet-stream')).status).toBe(204)
    }
    const { written } = await admin.call('disk_import_view', { params: { disk: id } })
    expect(written).toEqual([
      { offset: 0, length: 4 * MiB },
      { offset: 62 * MiB, length: 4 * MiB },
    ])
    await stop(id)
    await admin.call('disk_finalize_import', { params: { disk: id }, body: {} })
    expect(data.equals(await contentsOf(admin, 'disks', id, 62 * MiB, data.length))).toBe(true)
  })

  test('of a piece that a proxy cuts are not written, and the piece can be sent again', async () => {
    const { id } = await importing()
    const data = randomBytes(4 * MiB)
    const cut = request(`${server.url}/x/v1/disks/${id}/contents?offset=0`, {
      method: 'PUT',
      headers: {
        ...admin.credentials,
        'content-type': 'application/octet-stream',
        'content-length': data.length,
      },
    }).on('error', () => {})
    await new Promise((resolve) => cut.write(data.subarray(0, 3 * MiB), resolve))
    cut.destroy()
    // The end of an import waits for the pieces that are being written.
    await stop(id)
    expect(await admin.call('disk_import_view', { params: { disk: id } })).toMatchObject({
      written: [],
    })
    await start(id)
    expect((await put(id, 0, data, 'application/octet-stream')).status).toBe(204)
    await stop(id)
    await admin.call('disk_finalize_import', { params: { disk: id }, body: {} })
    expect(data.equals(await contentsOf(admin, 'disks', id, 0, data.length))).toBe(true)
  })

  test('are refused where they cannot be written', async () => {
    const { id } = await importing()
    const some = randomBytes(512)
    expect(await refused(id, 1, some)).toBe('offset not multiple of block size!')
    expect(await refused(id, 0, randomBytes(100))).toBe('data length not multiple of block size!')
    expect(await refused(id, GiB, some)).toBe('data goes past the end of the disk!')
    expect(await refused(id, 0, randomBytes(4 * MiB + 512))).toBe(
      `request body exceeded maximum size of ${4 * MiB} bytes`,
    )
    expect(await refused(id, 0, some, 'application/json')).toBe(
      'expected content type "application/octet-stream", got "application/json"',
    )
    expect(await refused(id, 'x', some)).toContain('offset')
    await stop(id)
    expect(await refused(id, 0, some)).toBe(
      'cannot import blocks with a bulk write for disk in state ImportReady',
    )
  })
})

describe('uploaded bytes', () => {
  test('are downloaded as sent, with zeros in between', async () => {
    const { id } = await importing()
    const chunks = new Map([
      [0, randomBytes(512 * KiB)],
      [512 * KiB, randomBytes(512)],
      [64 * MiB - 512, randomBytes(4 * KiB)],
      [200 * MiB, randomBytes(512 * KiB)],
      [GiB - 512, randomBytes(512)],
    ])
    for (const [offset, data] of chunks) await write(admin, id, offset, data)
    await stop(id)
    await admin.call('disk_finalize_import', { params: { disk: id }, body: {} })
    expect((await view(id)).state).toEqual({ state: 'detached' })
    for (const [offset, data] of chunks) {
      expect(data.equals(await contentsOf(admin, 'disks', id, offset, data.length))).toBe(true)
    }
    const gap = await contentsOf(admin, 'disks', id, 512 * KiB + 512, MiB)
    expect(gap.equals(Buffer.alloc(MiB))).toBe(true)
  })

  test('can be overwritten, and the last write counts', async () => {
    const { id } = await importing()
    const [first, second] = [randomBytes(8 * KiB), randomBytes(4 * KiB)]
    await write(admin, id, 0, first)
    await write(admin, id, 2 * KiB, second)
    await write(admin, id, 0, Buffer.alloc(512))
    await stop(id)
    await start(id)
    await write(admin, id, 7 * KiB, Buffer.alloc(KiB))
    const wanted = Buffer.concat([
      Buffer.alloc(512),
      first.subarray(512, 2 * KiB),
      second,
      first.subarray(6 * KiB, 7 * KiB),
      Buffer.alloc(KiB),
    ])
    expect(wanted.equals(await contentsOf(admin, 'disks', id, 0, wanted.length))).toBe(true)
  })

  test('take no space where they are zero', async () => {
    const { id } = await importing()
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        write(admin, id, index * 512 * KiB, Buffer.alloc(512 * KiB)),
      ),
    )
    const { written } = await admin.call('disk_import_view', { params: { disk: id } })
    expect(written).toEqual([{ offset: 0, length: 8 * MiB }])
    const zeros = await contentsOf(admin, 'disks', id, 0, MiB)
    expect(zeros.equals(Buffer.alloc(MiB))).toBe(true)
  })
})

describe('an import', () => {
  test('reports its progress, so that it can continue', async () => {
    const { id } = await importing()
    const of = () => admin.call('disk_import_view', { params: { disk: id } })
    expect(await of()).toEqual({ size: GiB, block_size: 512, written: [], conversion: null })
    await write(admin, id, 4 * MiB, randomBytes(512))
    await write(admin, id, 512, randomBytes(512))
    await write(admin, id, 0, randomBytes(512))
    const written = [
      { offset: 0, length: 1024 },
      { offset: 4 * MiB, length: 512 },
    ]
    expect((await of()).written).toEqual(written)
    await stop(id)
    expect((await of()).written).toEqual(written)
    await admin.call('disk_finalize_import', { params: { disk: id }, body: {} })
    const refusal = await admin.refusal('disk_import_view', { params: { disk: id } })
    expect(refusal.message).toBe('there is no import into a disk in state Detached')
  })

  test('ends with a snapshot if requested', async () => {
    const data = randomBytes(MiB)
    const name = fresh()
    const before = await admin.call('utilization_view')
    const disk = await importedDisk(admin, 'work', name, data, `${name}-snap`)
    const snapshot = await admin.call('snapshot_view', {
      params: { snapshot: `${name}-snap` },
      query,
    })
    expect(snapshot).toMatchObject({ disk_id: disk.id, size: GiB, state: 'ready' })
    const stored = await contentsOf(admin, 'snapshots', snapshot.id, 0, data.length)
    expect(data.equals(stored)).toBe(true)
    const after = await admin.call('utilization_view')
    expect(after.provisioned.storage - before.provisioned.storage).toBe(2 * GiB)
  })

  test('does not end with a snapshot whose name is taken', async () => {
    const { name } = await importedDisk(admin, 'work', fresh(), randomBytes(512), 'taken')
    const { id } = await importing()
    await stop(id)
    const refusal = await admin.refusal('disk_finalize_import', {
      params: { disk: id },
      body: { snapshot_name: 'taken' },
    })
    expect(refusal).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: snapshot "taken"',
    })
    expect((await view(id)).state).toEqual({ state: 'import_ready' })
    expect(name).toBeTruthy()
  })

  test.each([
    [1, 512, 'offset not multiple of block size!'],
    [0, 511, 'data length not multiple of block size!'],
    [GiB, 512, 'data goes past the end of the disk!'],
    [2 ** 60, 512, 'data goes past the end of the disk!'],
    [GiB - 512, 1024, 'data goes past the end of the disk!'],
    [0, 512 * KiB + 512, 'data length greater than 524288 bytes!'],
  ])('refuses a chunk at %i of %i bytes', async (offset, length, message) => {
    const { id } = await importing()
    const data = randomBytes(length).toString('base64')
    expect(await refusedWrite(id, offset, data)).toBe(message)
    expect((await admin.call('disk_import_view', { params: { disk: id } })).written).toEqual([])
  })

  test.each([
    ['AAA!', 'Invalid symbol 33, offset 3.'],
    ['AA', 'Invalid padding'],
    ['AAAAA', 'Invalid input length: 5'],
    ['AB==', 'Invalid last symbol 66, offset 1.'],
    ['_-__', 'Invalid symbol 95, offset 0.'],
    ['AAA\n', 'Invalid symbol 10, offset 3.'],
  ])('refuses %j as base64', async (data, reason) => {
    const { id } = await importing()
    expect(await refusedWrite(id, 0, data)).toBe(`error base64 decoding data: ${reason}`)
  })

  test('takes bodies of up to 8 MiB', async () => {
    const { id } = await importing()
    const path = `/v1/disks/${id}/bulk-write`
    const spaces = (bytes: number) => ' '.repeat(bytes)
    const body = '{"offset":0,"base64_encoded_data":""}'
    const { status } = await admin.send('POST', path, { body: body + spaces(4 * MiB) })
    expect(status).toBe(204)
    const refusal = await admin.refused('POST', path, { body: body + spaces(8 * MiB) })
    expect(refusal.message).toBe(`request body exceeded maximum size of ${8 * MiB} bytes`)
  })
})

/** The name of each state in messages; for states with an instance, its id follows. */
const states: [DiskTable['state'], string][] = [
  ['creating', 'Creating'],
  ['detached', 'Detached'],
  ['import_ready', 'ImportReady'],
  ['importing_from_url', 'ImportingFromUrl'],
  ['importing_from_bulk_writes', 'ImportingFromBulkWrites'],
  ['finalizing', 'Finalizing'],
  ['maintenance', 'Maintenance'],
  ['attaching', 'Attaching'],
  ['attached', 'Attached'],
  ['detaching', 'Detaching'],
  ['faulted', 'Faulted'],
]
describe.each(states)('in state %s', (state, text) => {
  const bound = ['attaching', 'attached', 'detaching'].includes(state)
  async function diskInState() {
    const { id } = await admin.call('disk_create', { query, body: blankDisk(fresh()) })
    const instance_id = bound ? crypto.randomUUID() : null
    await server.db.updateTable('disk').set({ state, instance_id }).where('id', '=', id).execute()
    return { id, shown: bound ? `${text}(${instance_id})` : text }
  }
  const asked = {
    disk_bulk_write_import_start: {
      from: 'import_ready',
      refused: (shown: string) =>
        `cannot set disk in state ${shown} to "importing_from_bulk_writes"`,
    },
    disk_bulk_write_import: {
      from: 'importing_from_bulk_writes',
      refused: (shown: string) =>
        `cannot import blocks with a bulk write for disk in state ${shown}`,
    },
    disk_bulk_write_import_stop: {
      from: 'importing_from_bulk_writes',
      refused: (shown: string) => `cannot set disk in state ${shown} to "import_ready"`,
    },
    disk_finalize_import: {
      from: 'import_ready',
      refused: (shown: string) => `cannot finalize disk in state ${shown}`,
    },
  } as const
  test.each(Object.entries(asked))('%s', async (operation, { from, refused }) => {
    const { id, shown } = await diskInState()
    const { status, body } = await admin.send(
      'POST',
      {
        disk_bulk_write_import_start: `/v1/disks/${id}/bulk-write-start`,
        disk_bulk_write_import: `/v1/disks/${id}/bulk-write`,
        disk_bulk_write_import_stop: `/v1/disks/${id}/bulk-write-stop`,
        disk_finalize_import: `/v1/disks/${id}/finalize`,
      }[operation]!,
      { body: { offset: 0, base64_encoded_data: '' } },
    )
    if (state === from) expect(status).toBe(204)
    else expect([status, (body as { message: string }).message]).toEqual([400, refused(shown)])
  })
})

test('refuses imports to local disks', async () => {
  const { id } = await detachedDisk(admin, query, fresh(), { disk_backend: { type: 'local' } })
  expect(await admin.refusal('disk_bulk_write_import_start', { params: { disk: id } })).toEqual({
    status: 400,
    error_code: 'InvalidRequest',
    message: 'cannot set disk in state Detached to "importing_from_bulk_writes"',
  })
})

describe('a download', () => {
  const data = randomBytes(4 * KiB)
  let path = ''
  beforeAll(async () => {
    const { id } = await importedDisk(admin, 'work', fresh(), data)
    path = `/x/v1/disks/${id}/contents`
  })
  const get = (headers: Record<string, string>, method = 'GET') =>
    admin.fetch(path, { method, headers })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=512-1023', 512, 1024],
    [`bytes=${GiB - 512}-`, GiB - 512, GiB],
    ['bytes=-100', GiB - 100, GiB],
    [`bytes=${GiB - 1}-${GiB + 5}`, GiB - 1, GiB],
  ])('of %s', async (range, first, end) => {
    const response = await get({ range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${end - 1}/${GiB}`)
    expect(response.headers.get('content-length')).toBe(String(end - first))
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    const wanted = Buffer.alloc(end - first)
    if (first < data.length) data.copy(wanted, 0, first, end)
    expect(wanted.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  test.each([`bytes=${GiB}-`, 'bytes=-0'])('of %s is refused', async (range) => {
    const response = await get({ range })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe(`bytes */${GiB}`)
    expect(await response.json()).toMatchObject({ message: 'Range Not Satisfiable' })
  })

  test.each(['lines=1-2', 'bytes=9-2', 'bytes=0-1,5-6', 'bytes=-'])(
    'of %s is one of everything',
    async (range) => {
      const response = await get({ range })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-length')).toBe(String(GiB))
      await response.body!.cancel()
    },
  )

  test('reports whether the bytes are unchanged', async () => {
    const head = await get({}, 'HEAD')
    expect(head.headers.get('accept-ranges')).toBe('bytes')
    expect(head.headers.get('content-length')).toBe(String(GiB))
    const etag = head.headers.get('etag')!
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ range: 'bytes=0-1', 'if-range': etag }, 'HEAD')).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' }, 'HEAD')).status).toBe(200)
  })

  test('is refused for a disk in state creating', async () => {
    const { id } = await importing()
    await server.db
      .updateTable('disk')
      .set({ state: 'creating', has_volume: 0 })
      .where('id', '=', id)
      .execute()
    expect((await admin.refused('GET', `/x/v1/disks/${id}/contents`)).message).toBe(
      'cannot read a disk in state Creating',
    )
  })
})

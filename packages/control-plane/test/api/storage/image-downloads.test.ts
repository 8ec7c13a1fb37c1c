/** Images of files at URLs: the download, its faults and its limits. */
import type { Wire } from '@steading/api'
import {
  GiB,
  IMAGE_DOWNLOAD_MS,
  IMAGE_FILE_MAX,
  imageDownloadMessages,
  imageDownloadProblems as problems,
  imageProblems,
  RAW_CHUNK_MAX,
  urlMessages,
} from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addDownload, CLOSED_URL, downloadBody } from '../../support/image-downloads.ts'
import {
  type ImageServer,
  loopback,
  noise,
  sha256,
  startImageServer,
} from '../../support/image-server.ts'
import { blankDisk, keepNothing, until } from '../../support/things.ts'

const PROJECT = 'work'
const query = { project: PROJECT }

let images: ImageServer
let server: TestServer
let projectId: string
beforeAll(async () => {
  images = await startImageServer()
  server = await startTestServer({ imageNetworks: loopback })
  await keepNothing(server.admin)
  projectId = (
    await server.admin.call('project_create', { body: { name: PROJECT, description: '' } })
  ).id
})
afterAll(async () => {
  await server.close()
  await images.close()
})

let count = 0
/** Starts a download of a path of the image server. */
const start = (path: string, values: object = {}): Promise<Wire.ImageDownload> =>
  server.admin.call('image_download_create', {
    query,
    body: downloadBody(`image-${count++}`, { url: images.url + path, ...values }),
  })
const view = (id: string) =>
  server.admin.call('image_download_view', { params: { image_download: id } })
const reaches = (id: string, state: Wire.ImageDownloadState): Promise<Wire.ImageDownload> =>
  until(
    () => view(id),
    (download) => expect(download).toMatchObject({ state }),
  )
/** The sentence with which a download fails. */
async function problemOf(path: string, values: object = {}): Promise<string> {
  const { id } = await start(path, values)
  return (await reaches(id, 'failed')).problem!
}
/** Nothing is left of the disk and the snapshot of a download. */
const leavesNothing = () =>
  until(
    async () => ({
      disks: (await server.admin.call('disk_list', { query })).items,
      snapshots: (await server.admin.call('snapshot_list', { query })).items,
      volumes: await server.db
        .selectFrom('volume')
        .select('id')
        .where('is_snapshot', '=', 0)
        .execute(),
    }),
    (rest) => expect(rest).toEqual({ disks: [], snapshots: [], volumes: [] }),
  )
/** The first bytes of a disk made of an image. */
async function bytesOf(imageId: string, length: number): Promise<Uint8Array> {
  const disk_source = { type: 'image', image_id: imageId, read_only: false }
  const { id } = await server.admin.call('disk_create', {
    query,
    body: blankDisk(`copy-${count++}`, { disk_backend: { type: 'distributed', disk_source } }),
  })
  onTestFinished(
    async () => void (await server.admin.call('disk_delete', { params: { disk: id } })),
  )
  const response = await fetch(`${server.url}/x/v1/disks/${id}/contents`, {
    headers: { cookie: server.admin.cookie!, range: `bytes=0-${length - 1}` },
  })
  return new Uint8Array(await response.arrayBuffer())
}
const sum = (bytes: Uint8Array) => ({ type: 'sha256', value: sha256(bytes) })

test('a file becomes an image, and leaves nothing else', async () => {
  // A hole in the middle, and an end that is no whole piece.
  const bytes = noise(2 * RAW_CHUNK_MAX + 512)
  bytes.fill(0, RAW_CHUNK_MAX, 2 * RAW_CHUNK_MAX)
  images.files['/plain.raw'] = { bytes }
  const { id, name, state, size } = await start('/plain.raw', { checksum: sum(bytes) })
  expect({ state, size }).toEqual({ state: 'downloading', size: null })
  const ready = await reaches(id, 'ready')
  expect(ready).toMatchObject({ size: bytes.length, received: bytes.length, problem: null })
  const image = await server.admin.call('image_view', { params: { image: ready.image_id! } })
  expect(image).toMatchObject({ name, os: 'Plan 9', version: '4', project_id: projectId })
  await leavesNothing()
  expect(Buffer.compare(await bytesOf(image.id, bytes.length), bytes)).toBe(0)
  // The audit log says who made the image, by which call.
  const entries = await server.admin.call('audit_entry_list', { query: { target: image.id } })
  expect(entries.items).toMatchObject([
    {
      operation_id: 'image_create',
      target: { id: image.id, name },
      request_uri: '/x/v1/image-downloads?project=work',
    },
  ])
  await server.admin.call('image_download_delete', { params: { image_download: id } })
  expect((await server.admin.call('image_download_list', { query })).items).toEqual([])
})

test('an image of the silo', async () => {
  const bytes = noise(512, 2)
  images.files['/silo.raw'] = { bytes }
  const { id } = await start('/silo.raw', { for_silo: true, block_size: 512 })
  await addDownload(server, projectId, { state: 'failed' })
  const ofSilo = await server.admin.call('image_download_list')
  expect(ofSilo.items.map((item) => item.id)).toEqual([id])
  const { image_id: image } = await reaches(id, 'ready')
  expect(await server.admin.call('image_view', { params: { image: image! } })).toMatchObject({
    project_id: null,
  })
})

test('a cut connection is continued, and the whole is verified', async () => {
  const bytes = noise(3 * RAW_CHUNK_MAX, 3)
  images.files['/cut.raw'] = { bytes, etag: '"one"', cuts: [RAW_CHUNK_MAX + 9, RAW_CHUNK_MAX + 7] }
  const { id } = await start('/cut.raw', { checksum: sum(bytes) })
  await reaches(id, 'ready')
  expect(images.asked['/cut.raw']).toEqual([
    {},
    { range: `bytes=${RAW_CHUNK_MAX}-`, ifRange: '"one"' },
    { range: `bytes=${2 * RAW_CHUNK_MAX}-`, ifRange: '"one"' },
  ])
})

test.each([
  ['the server has no ranges', { ranges: false, etag: '"two"' }],
  ['nothing identifies the file', {}],
])('a download begins anew if %s', async (_, values) => {
  const bytes = noise(2 * RAW_CHUNK_MAX, 4)
  const path = `/anew-${count}.raw`
  images.files[path] = { bytes, cuts: [RAW_CHUNK_MAX + 1], ...values }
  const { id } = await start(path, { checksum: sum(bytes) })
  expect(await reaches(id, 'ready')).toMatchObject({ received: bytes.length })
  expect(images.asked[path]!.length).toBeGreaterThan(1)
  await leavesNothing()
})

test('a file that has changed is read anew, and no byte of the old one stays', async () => {
  const [before, after] = [noise(3 * RAW_CHUNK_MAX, 5), noise(RAW_CHUNK_MAX + 512, 6)]
  const changed = { bytes: before, etag: '"before"', cuts: [2 * RAW_CHUNK_MAX] }
  images.files['/changed.raw'] = changed
  // The file changes with the first cut.
  changed.cuts.shift = () => {
    images.files['/changed.raw'] = { bytes: after, etag: '"after"' }
    return 2 * RAW_CHUNK_MAX
  }
  const { id } = await start('/changed.raw')
  const { image_id: image, size } = await reaches(id, 'ready')
  expect(size).toBe(after.length)
  const found = await bytesOf(image!, before.length)
  expect(Buffer.compare(found.subarray(0, after.length), after)).toBe(0)
  expect(found.subarray(after.length).every((byte) => byte === 0)).toBe(true)
})

/** Leaves so many bytes of the quota of the silo. Returns a function that restores the quota. */
async function leaveStorage(bytes: number) {
  const silo = server.db.selectFrom('silo').select(['quota_storage', 'used_storage'])
  const { quota_storage, used_storage } = await silo
    .where('id', '=', server.siloId)
    .executeTakeFirstOrThrow()
  const set = (quota: number) =>
    server.db
      .updateTable('silo')
      .set({ quota_storage: quota })
      .where('id', '=', server.siloId)
      .execute()
  await set(used_storage + bytes)
  return () => set(quota_storage)
}

describe('a file of unknown size', () => {
  const send = (path: string, pieces: Uint8Array[], headers: Record<string, string> = {}) => {
    images.answers[path] = (response) => {
      response.writeHead(200, headers)
      for (const piece of pieces) response.write(piece)
      response.end()
    }
  }

  test('becomes an image after its last byte', async () => {
    const bytes = noise(3 * 1024 * 1024, 11)
    send('/chunked.raw', [bytes])
    const { id } = await start('/chunked.raw', { checksum: sum(bytes) })
    const ready = await reaches(id, 'ready')
    expect(ready).toMatchObject({ size: bytes.length, received: bytes.length })
    await leavesNothing()
    expect(Buffer.compare(await bytesOf(ready.image_id!, bytes.length), bytes)).toBe(0)
  })

  test('fails if it is empty, and is tried again if it is cut', async () => {
    send('/nothing.raw', [new Uint8Array()])
    expect(await problemOf('/nothing.raw')).toBe(problems.empty)
    const bytes = noise(2048, 12)
    let cuts = 1
    images.answers['/cut-chunked.raw'] = (response) => {
      response.write(bytes.subarray(0, 1024), () => {
        if (cuts-- > 0) response.destroy()
        else response.end(bytes.subarray(1024))
      })
    }
    const { id } = await start('/cut-chunked.raw', { checksum: sum(bytes) })
    await reaches(id, 'ready')
    expect(images.asked['/cut-chunked.raw']).toHaveLength(2)
  })

  test('is read no further than the quota allows', async () => {
    const restore = await leaveStorage(2 * 1024 * 1024)
    // It never ends.
    images.answers['/endless.raw'] = (response) => {
      const more = () => {
        while (!response.destroyed && response.write(noise(65_536)));
      }
      response.on('drain', more).on('error', () => {})
      more()
    }
    expect(await problemOf('/endless.raw')).toContain('Storage Limit Exceeded')
    await restore()
    await leavesNothing()
  })
})

describe('checksums', () => {
  const bytes = noise(1024, 7)
  const right = `${sha256(bytes)}  *summed.raw\n${'0'.repeat(64)}  other.raw\n`
  const list = (text: string) => {
    const path = `/SUMS-${count++}`
    images.answers[path] = (response) => void response.end(text)
    return { type: 'list', url: images.url + path }
  }
  beforeAll(() => void (images.files['/summed.raw'] = { bytes }))

  test.each([
    ['of sha256sum', right],
    [
      'of BSD, signed',
      `-----BEGIN PGP-----\nHash: SHA256\n\nSHA256 (summed.raw) = ${sha256(bytes)}\n`,
    ],
    ['with nothing but the checksum', `${sha256(bytes)}\n`],
  ])('are read from a list %s', async (_, text) => {
    const { id } = await start('/summed.raw', { checksum: list(text) })
    expect(await reaches(id, 'ready')).toMatchObject({ received: bytes.length })
  })

  test('are found by the name at the end of redirects, or in the header of the server', async () => {
    const named = (name: string) => list(`${sha256(bytes)}  ${name}\n${'0'.repeat(64)}  other.raw`)
    images.answers['/latest.raw'] = (response) =>
      void response.writeHead(302, { location: '/summed-20260101.raw' }).end()
    images.files['/summed-20260101.raw'] = { bytes }
    images.answers['/download'] = (response) =>
      void response
        .writeHead(200, {
          'content-length': bytes.length,
          'content-disposition': `attachment; filename="said.raw"`,
        })
        .end(bytes)
    for (const [path, name] of [
      ['/latest.raw', 'summed-20260101.raw'],
      ['/download', 'said.raw'],
    ] as const) {
      const { id } = await start(path, { checksum: named(name) })
      expect(await reaches(id, 'ready')).toMatchObject({ received: bytes.length })
    }
  })

  test('that differ fail the download, and leave nothing', async () => {
    const wrong = 'a'.repeat(128)
    const problem = await problemOf('/summed.raw', { checksum: { type: 'sha512', value: wrong } })
    expect(problem.endsWith(`and not ${wrong}`)).toBe(true)
    await leavesNothing()
  })

  test('that are not there', async () => {
    const without = right.replaceAll('summed', 'another')
    expect(await problemOf('/summed.raw', { checksum: list(without) })).toBe(
      problems.notListed('summed.raw'),
    )
    const missing = { type: 'list', url: `${images.url}/missing` }
    expect(await problemOf('/summed.raw', { checksum: missing })).toBe(
      problems.list(problems.status(new URL(images.url).host, 404, 'Not Found')),
    )
  })
})

describe('a download fails', () => {
  const head = (values: Record<string, string | number>) => (path: string) => {
    images.answers[path] = (response) => void response.writeHead(200, values).end()
  }
  const body = (bytes: Uint8Array) => (path: string) => void (images.files[path] = { bytes })
  const redirect = (location: string) => (path: string) => {
    images.answers[path] = (response) => void response.writeHead(302, { location }).end()
  }
  const withBytes = (offset: number, text: string) => {
    const bytes = new Uint8Array(1024)
    bytes.set(new TextEncoder().encode(text), offset)
    return bytes
  }
  const gzip = new Uint8Array(1024)
  gzip.set([0x1f, 0x8b])

  test('without the file', async () => {
    const { host } = new URL(images.url)
    expect(await problemOf('/no-file')).toBe(problems.status(host, 404, 'Not Found'))
  })

  test.each<[string, (path: string) => void, string]>([
    ['if it is compressed', body(gzip), imageProblems.unsupported('compressed by gzip')],
    [
      'if it is an archive',
      body(withBytes(257, 'ustar\0')),
      imageProblems.unsupported('an archive (tar, as an OVA is)'),
    ],
    ['if it is a web page', body(withBytes(0, '\n<!DOCTYPE html><title>')), imageProblems.webPage],
    ['if nothing says that it is a disk', body(withBytes(0, 'readme')), imageProblems.noDisk],
    ['if it is empty', body(new Uint8Array()), problems.empty],
    ['if it is no number of blocks', body(noise(1000)), problems.notBlocks(512)],
    [
      'if it is larger than a disk',
      head({ 'content-length': IMAGE_FILE_MAX + 1 }),
      problems.tooLarge,
    ],
    ['if it is encoded', head({ 'content-encoding': 'br' }), problems.encoded('br')],
    [
      'if a redirect leads into a closed network',
      redirect('http://169.254.169.254/latest/meta-data'),
      problems.closed('169.254.169.254'),
    ],
    [
      'if a redirect leads to a mapped address',
      redirect('http://[::ffff:10.0.0.1]/'),
      problems.closed('[::ffff:a00:1]'),
    ],
    [
      'if a redirect leads to a file of the server',
      redirect('file:///etc/passwd'),
      problems.redirectTo(urlMessages.scheme),
    ],
    ['after too many redirects', (path) => redirect(path)(path), problems.redirects],
  ])('%s', async (_, prepare, problem) => {
    const path = `/failing-${count++}`
    prepare(path)
    expect(await problemOf(path)).toBe(problem)
  })

  test.each([
    '10.1.2.3',
    '[::1]',
    '[fe80::1]',
    '[fd00::1]',
    '224.0.0.1',
    '0.0.0.0',
    '[64:ff9b::a00:1]',
  ])('at the address %s', async (host) => {
    const { hostname } = new URL(`http://${host}`)
    expect(await problemOf('', { url: `http://${host}/` })).toBe(problems.closed(hostname))
  })

  test('if the quota of the silo is exhausted', async () => {
    // Room for the disk, but not for its snapshot as well.
    const restore = await leaveStorage(1.5 * GiB)
    images.files['/quota.raw'] = { bytes: noise(512) }
    expect(await problemOf('/quota.raw')).toContain('Storage Limit Exceeded')
    await restore()
  })

  test('after a day', async () => {
    images.answers['/never.raw'] = (response) => void response.destroy()
    const id = await addDownload(server, projectId, {
      url: `${images.url}/never.raw`,
      time_started: new Date(Date.now() - IMAGE_DOWNLOAD_MS - 1).toISOString(),
      reconcile_at: new Date().toISOString(),
    })
    expect(await reaches(id, 'failed')).toMatchObject({ problem: problems.tooLong })
  })

  test('if its user is deactivated meanwhile', async () => {
    const { id: user, caller } = await server.createUser('leaving', { silo: 'collaborator' })
    images.files['/leaving.raw'] = { bytes: noise(RAW_CHUNK_MAX), hangsAfter: 1024 }
    const { id } = await caller.call('image_download_create', {
      query,
      body: downloadBody('leaving', { url: `${images.url}/leaving.raw` }),
    })
    await until(
      async () => images.asked['/leaving.raw']?.length,
      (asked) => expect(asked).toBe(1),
    )
    const time_deactivated = new Date().toISOString()
    await server.db
      .updateTable('silo_user')
      .set({ time_deactivated })
      .where('id', '=', user)
      .execute()
    // The next attempt cannot make a disk.
    images.files['/leaving.raw'] = { bytes: noise(512) }
    images.closeConnections()
    expect(await reaches(id, 'failed')).toMatchObject({ problem: problems.userGone })
  })

  test('if the token with fewer rights that began it has ended', async () => {
    images.files['/revoked.raw'] = { bytes: noise(512) }
    const id = await addDownload(server, projectId, {
      url: `${images.url}/revoked.raw`,
      token_id: crypto.randomUUID(),
      reconcile_at: new Date().toISOString(),
    })
    // Any download wakes the reconciler.
    await start('/revoked.raw')
    expect(await reaches(id, 'failed')).toMatchObject({ problem: problems.tokenGone })
  })
})

test('a server that is not ready is asked again', async () => {
  const bytes = noise(512, 8)
  let busy = 1
  images.answers['/busy.raw'] = (response) =>
    void (busy-- > 0 ? response.writeHead(503).end() : response.end(bytes))
  const { id } = await start('/busy.raw')
  await until(
    () => view(id),
    ({ problem }) =>
      expect(problem).toBe(problems.status(new URL(images.url).host, 503, 'Service Unavailable')),
  )
  expect(await reaches(id, 'ready')).toMatchObject({ problem: null })
})

test('a download is cancelled, started again, and deleted', async () => {
  images.files['/slow.raw'] = {
    bytes: noise(2 * RAW_CHUNK_MAX),
    etag: '"slow"',
    hangsAfter: RAW_CHUNK_MAX + 1,
  }
  const { id, name } = await start('/slow.raw')
  const params = { image_download: id }
  const disk = async () => (await server.admin.call('disk_list', { query })).items[0]
  await until(disk, (one) => expect(one?.state.state).toBe('importing_from_url'))
  const { id: diskId } = (await disk())!
  // Nobody else writes to the disk, or ends its import.
  for (const operation of [
    'disk_bulk_write_import_start',
    'disk_bulk_write_import_stop',
  ] as const) {
    expect((await server.admin.refusal(operation, { params: { disk: diskId } })).status).toBe(400)
  }
  expect((await server.admin.refusal('image_download_delete', { params })).message).toBe(
    'image download cannot be deleted in state "downloading"',
  )
  const again = { query, body: downloadBody(name) }
  expect((await server.admin.refusal('image_download_create', again)).message).toBe(
    imageDownloadMessages.nameInUse(name),
  )
  expect(await server.admin.call('image_download_cancel', { params })).toMatchObject({
    state: 'cancelled',
  })
  await leavesNothing()

  images.files['/slow.raw'] = { bytes: noise(512) }
  await server.admin.call('image_download_retry', { params })
  const { image_id: image } = await reaches(id, 'ready')
  // The image goes its own way.
  await server.admin.call('image_download_delete', { params })
  await server.admin.call('image_delete', { params: { image: image! } })
})

test('bad requests', async () => {
  const refused = async (values: object) => {
    const body = downloadBody('bad', values)
    const { status, message } = await server.admin.refusal('image_download_create', { query, body })
    return [status, message]
  }
  for (const [url, problem] of [
    ['images/debian', urlMessages.notUrl],
    ['ftp://images.example/debian', urlMessages.scheme],
    ['https://me:secret@images.example/debian', urlMessages.credentials],
    [`https://images.example/${'x'.repeat(2048)}`, urlMessages.tooLong],
  ] as const) {
    expect(await refused({ url })).toEqual([400, expect.stringContaining(problem)])
  }
  expect(await refused({ checksum: { type: 'sha256', value: 'abc' } })).toEqual([
    400,
    expect.stringContaining('must have 64 hexadecimal digits'),
  ])
  await server.createImage('taken', projectId)
  expect(await refused({ name: 'taken' })).toEqual([400, 'already exists: project-image "taken"'])
  await Promise.all(
    Array.from({ length: 8 }, () => addDownload(server, projectId, { state: 'downloading' })),
  )
  expect(await refused({ url: CLOSED_URL })).toEqual([400, imageDownloadMessages.tooMany])
  await server.db.deleteFrom('image_download').execute()
})

test('the list of well-known images is the operator’s', async () => {
  const usual = await server.admin.call('image_catalog_view')
  expect(usual.is_default).toBe(true)
  expect(usual.images.map(({ name }) => name)).toContain('Debian 13')
  const [first] = usual.images
  const images = [{ ...first!, name: 'Ours', checksum: null }]
  expect(await server.admin.call('image_catalog_update', { body: { images } })).toEqual({
    images,
    is_default: false,
  })
  for (const [body, message] of [
    [[first!, first!], 'two images have the name'],
    [Array.from({ length: 101 }, (_, i) => ({ ...first!, name: `${i}` })), 'at most 100'],
    [[{ ...first!, name: '' }], 'needs a name'],
  ] as const) {
    const refusal = await server.admin.refusal('image_catalog_update', { body: { images: body } })
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(message) })
  }
  expect(await server.admin.call('image_catalog_update', { body: { images: null } })).toEqual(usual)
})

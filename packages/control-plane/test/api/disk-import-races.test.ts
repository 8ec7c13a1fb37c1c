/** Imports of disks with concurrent chunks, through one server or two. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { contentsOf, importedDisk, importingDisk } from '../support/storage.ts'

const KiB = 1024
const MiB = 1024 * KiB

let server: TestServer
let admin: Caller

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

describe('an import with concurrent chunks', () => {
  test('is complete when many chunks are written at once, in any order', async () => {
    const data = randomBytes(24 * MiB)
    const { id } = await importedDisk(admin, 'work', 'whole', data)
    const response = await admin.fetch(`/x/v1/disks/${id}/contents`, {
      headers: { range: `bytes=0-${data.length - 1}` },
    })
    expect(response.status).toBe(206)
    expect(data.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
    const sum = await admin.call('disk_checksum', {
      params: { disk: id },
      query: { length: data.length },
    })
    const sha256 = createHash('sha256').update(data).digest('hex')
    expect(sum).toEqual({ length: data.length, sha256 })
  })

  test('does not finish before a chunk that began before its end', async () => {
    const { id } = await importingDisk(admin, 'work', 'raced')
    const data = randomBytes(512 * KiB)
    const writes = Array.from({ length: 8 }, (_, index) =>
      admin.send('POST', `/v1/disks/${id}/bulk-write`, {
        body: { offset: index * data.length, base64_encoded_data: data.toString('base64') },
      }),
    )
    await admin.send('POST', `/v1/disks/${id}/bulk-write-stop`)
    await admin.call('disk_finalize_import', {
      params: { disk: id },
      body: { snapshot_name: 'raced-snapshot' },
    })
    for (const [index, { status }] of (await Promise.all(writes)).entries()) {
      const stored = await contentsOf(admin, 'disks', id, index * data.length, data.length)
      expect(stored.equals(status === 204 ? data : Buffer.alloc(data.length))).toBe(true)
    }
  })
})

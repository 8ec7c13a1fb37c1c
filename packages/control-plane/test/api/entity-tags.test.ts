/** Reads that come again: answered in a few bytes while nothing has changed, and never out of date. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'

let server: TestServer
let reader: User
let projectId: string
beforeAll(async () => {
  server = await startTestServer()
  projectId = (
    await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  ).id
  reader = await server.createUser('reader', { projects: { [projectId]: 'viewer' } })
})
afterAll(() => server.close())

const disk = (name: string) => ({
  name,
  description: '',
  size: 2 ** 30,
  disk_backend: {
    type: 'distributed' as const,
    disk_source: { type: 'blank' as const, block_size: 512 as const },
  },
})
const read = (path: string, tag?: string | null, headers: Record<string, string> = {}) =>
  server.admin.fetch(path, { headers: { ...headers, ...(tag ? { 'if-none-match': tag } : {}) } })

test.each(['/x/v1/disks?project=web', '/v1/disks?project=web', '/v1/projects/web', '/v1/me'])(
  '%s is answered "not modified" until it has changed',
  async (path) => {
    const first = await read(path)
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('no-store')
    const tag = first.headers.get('etag')
    expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/)
    for (const asked of [tag, `"other", ${tag}`, tag]) {
      const again = await read(path, asked)
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('etag')).toBe(tag)
      expect(again.headers.get('cache-control')).toBe('no-store')
      expect(again.headers.get('vary')).toBe('accept-encoding')
      expect(again.headers.has('x-request-id')).toBe(true)
    }
    expect((await read(path, '"other"')).status).toBe(200)
  },
)

test('a list that has another row, or a row that has another state, is sent again', async () => {
  const path = '/x/v1/disks?project=web'
  let tag = (await read(path)).headers.get('etag')
  const isSentAgain = async () => {
    const response = await read(path, tag)
    expect(response.status).toBe(200)
    tag = response.headers.get('etag')
    expect((await read(path, tag)).status).toBe(304)
  }
  const query = { project: 'web' }
  await server.admin.call('disk_create', { query, body: disk('one') })
  await isSentAgain()
  await server.db.updateTable('disk').set({ description: 'new' }).execute()
  await isSentAgain()
  await server.admin.call('disk_delete', { query, params: { disk: 'one' } })
  await isSentAgain()
})

test('whose rights are taken away learns nothing by an old tag', async () => {
  const path = '/v1/projects/web'
  const own = (tag?: string | null) =>
    reader.caller.fetch(path, { headers: tag ? { 'if-none-match': tag } : {} })
  const first = await own()
  expect(first.status).toBe(200)
  const tag = first.headers.get('etag')
  expect((await own(tag)).status).toBe(304)
  await server.admin.call('project_policy_update', {
    params: { project: 'web' },
    body: { role_assignments: [] },
  })
  expect((await own(tag)).status).toBe(404)
})

test('a tag means nothing without a session, and is not found in an error', async () => {
  const tag = (await read('/v1/me')).headers.get('etag')
  const stranger = await fetch(`${server.url}/v1/me`, { headers: { 'if-none-match': tag! } })
  expect(stranger.status).toBe(401)
  expect(stranger.headers.has('etag')).toBe(false)
})

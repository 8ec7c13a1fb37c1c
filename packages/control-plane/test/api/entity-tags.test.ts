/** Repeated reads: answered in a few bytes while nothing has changed, and never out of date. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { stopClocks } from '../support/clock.ts'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'
import { fromNow } from '../support/times.ts'

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

test('sends a list again when a row is added or changes its state', async () => {
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

test('makes time-dependent answers again, even if nothing was written', async () => {
  stopClocks()
  onTestFinished(() => void vi.useRealTimers())
  const { id } = await server.admin.call('current_user_view')
  const ends = fromNow(60_000).getTime()
  await server.db
    .insertInto('access_token')
    .values({
      id: crypto.randomUUID(),
      token_hash: 'a hash',
      device_code_hash: 'another hash',
      client_id: 'cli',
      user_id: id,
      time_created: new Date().toISOString(),
      time_expires: new Date(ends).toISOString(),
    })
    .execute()
  const path = '/v1/me/access-tokens'
  const first = await read(path)
  const tag = first.headers.get('etag')
  expect(((await first.json()) as { items: unknown[] }).items).toHaveLength(1)
  expect((await read(path, tag)).status).toBe(304)
  const written = server.host.controlPlane.database.written?.()
  vi.setSystemTime(ends + 1)
  const later = await read(path, tag)
  // Otherwise a write would have been the reason.
  expect(server.host.controlPlane.database.written?.()).toBe(written)
  expect(later.status).toBe(200)
  expect(await later.json()).toMatchObject({ items: [] })
})

test('reveals nothing for an old tag after the permission was revoked', async () => {
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

test('ignores a tag without a session, and has none in errors', async () => {
  const tag = (await read('/v1/me')).headers.get('etag')
  const stranger = await fetch(`${server.url}/v1/me`, { headers: { 'if-none-match': tag! } })
  expect(stranger.status).toBe(401)
  expect(stranger.headers.has('etag')).toBe(false)
})

test('has no tag for public answers', async () => {
  const answer = await fetch(`${server.url}/v1/ping`, { headers: { 'if-none-match': '*' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.has('etag')).toBe(false)
})

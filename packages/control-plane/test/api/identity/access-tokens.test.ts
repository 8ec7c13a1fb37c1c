/** Control plane specification 2 and 2.6: callers with an access token, and how tokens end. */
import { consoleEndings } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { stopClocks } from '../../support/clock.ts'
import type { Caller } from '../../support/caller.ts'
import { following, plain, viewConsole } from '../../support/console.ts'
import { tokenOf } from '../../support/devices.ts'
import { EventStream } from '../../support/event-stream.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let machine: string
const query = { project: 'work' }
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const body = smallInstance('box', { start: true })
  machine = (await admin.call('instance_create', { query, body })).id
  await reaches(admin, machine, 'running')
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

const newToken = (user: Caller = admin, ttlSeconds?: number) =>
  tokenOf(user, server.anonymous, ttlSeconds)
/** Follows events. */
async function open(caller: Caller): Promise<EventStream> {
  const stream = new EventStream(await caller.fetch('/x/v1/events'))
  await stream.block()
  return stream
}
const unauthorized = {
  status: 401,
  error_code: 'Unauthorized',
  message: 'credentials missing or invalid',
}
const meWith = async (headers: Record<string, string>): Promise<number> =>
  (await server.anonymous.fetch('/v1/me', { headers })).status

describe('a request with an access token', () => {
  test("is a request of its user, with that user's permissions", async () => {
    const viewer = await server.createUser('viewer', { silo: 'viewer' })
    const byToken = await newToken(viewer.caller)
    expect(await byToken.call('current_user_view')).toMatchObject({ id: viewer.id })
    expect((await byToken.call('instance_list', { query })).items).toHaveLength(1)
    expect(
      await byToken.refusal('project_create', { body: { name: 'own', description: '' } }),
    ).toMatchObject({ status: 403 })
    await admin.call('policy_update', {
      body: {
        role_assignments: [
          ...(await admin.call('policy_view')).role_assignments,
          { identity_type: 'silo_user', identity_id: viewer.id, role_name: 'collaborator' },
        ],
      },
    })
    await byToken.call('project_create', { body: { name: 'own', description: '' } })
  })

  test.each([
    ['Bearer', (token: string) => `Bearer ${token}`],
    ['lower case', (token: string) => `bearer ${token}`],
    ['several spaces', (token: string) => `Bearer   ${token}  `],
  ])('may spell the header as: %s', async (_, header) => {
    const { granted } = await newToken()
    expect(await meWith({ authorization: header(granted.access_token) })).toBe(200)
  })

  test.each([
    ['unknown', `Bearer oxide-token-${'0'.repeat(40)}`],
    ['too short', 'Bearer oxide-token-00'],
    ['too long', `Bearer oxide-token-${'0'.repeat(41)}`],
    ['no hexadecimal digits', `Bearer oxide-token-${'z'.repeat(40)}`],
    ['upper case', `Bearer oxide-token-${'A'.repeat(40)}`],
    ['empty', 'Bearer oxide-token-'],
    ['two tokens', `Bearer oxide-token-${'0'.repeat(40)}, Bearer oxide-token-${'0'.repeat(40)}`],
    ['another kind of bearer', `Bearer ${'0'.repeat(40)}`],
    ['only the word', 'Bearer'],
    ['another scheme', 'Basic YWRtaW46eA=='],
  ])('is always refused in the same way: %s', async (_, authorization) => {
    expect(
      await server.anonymous.send('GET', '/v1/me', { headers: { authorization } }),
    ).toMatchObject({ status: 401, body: { message: unauthorized.message } })
  })

  test('is decided by its cookie, if it has both', async () => {
    const { granted } = await newToken()
    const authorization = `Bearer ${granted.access_token}`
    expect(await meWith({ authorization, cookie: `session=${'0'.repeat(40)}` })).toBe(401)
    const wrong = `Bearer oxide-token-${'0'.repeat(40)}`
    expect(await meWith({ authorization: wrong, cookie: admin.cookie! })).toBe(200)
    // Other cookies are not credentials, nor are other kinds of bearer tokens.
    expect(await meWith({ authorization, cookie: 'theme=dark; session=' })).toBe(200)
    expect(await meWith({ authorization: 'Bearer else', cookie: admin.cookie! })).toBe(200)
  })

  test('does not accept a token as a session, nor a session as a token', async () => {
    const { granted } = await newToken()
    const authorization = `Bearer ${granted.access_token}`
    expect(await meWith({ authorization })).toBe(200)
    expect(await meWith({ cookie: `session=${granted.access_token}` })).toBe(401)
    const session = admin.cookie!.replace('session=', '')
    expect(await meWith({ authorization: `Bearer oxide-token-${session}` })).toBe(401)
  })

  test('may come from another site, because no browser sends a token by itself', async () => {
    const byToken = await newToken()
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    const body = JSON.stringify({ name: 'from-elsewhere', description: '' })
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    }
    expect((await byToken.fetch('/v1/projects', init)).status).toBe(201)
    expect((await admin.fetch('/v1/projects', init)).status).toBe(403)
  })
})

describe('a token', () => {
  test('is stored only as a digest, even in events', async () => {
    const { granted } = await newToken()
    const secret = granted.access_token.replace('oxide-token-', '')
    const rows = await server.db.selectFrom('access_token').selectAll().execute()
    const events = await server.db.selectFrom('event').selectAll().execute()
    expect(JSON.stringify([rows, events])).not.toContain(secret)
    expect(rows.map(({ id }) => id)).toContain(granted.token_id)
  })

  test('is listed by its user, without its secret, and can be revoked', async () => {
    const user = await server.createUser('lister')
    const byToken = await newToken(user.caller, 3600)
    const { items } = await user.caller.call('current_user_access_token_list')
    const { token_id, time_expires } = byToken.granted
    expect(items).toEqual([{ id: token_id, time_created: expect.any(String), time_expires }])
    // A token can revoke itself.
    await byToken.call('current_user_access_token_delete', { params: { token_id } })
    expect(await byToken.refusal('current_user_view')).toEqual(unauthorized)
    expect((await user.caller.call('current_user_access_token_list')).items).toEqual([])
  })

  test('cannot be revoked by another user, nor told from a missing one', async () => {
    const { granted } = await newToken()
    const user = await server.createUser('prying')
    const params = { token_id: granted.token_id }
    expect(await user.caller.refusal('current_user_access_token_delete', { params })).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: device-access-token with id "${granted.token_id}"`,
    })
    expect(await meWith({ authorization: `Bearer ${granted.access_token}` })).toBe(200)
  })

  test('expires at its time, which a clock set back does not postpone for long', async () => {
    const start = Date.now()
    stopClocks(start)
    const byToken = await newToken(admin, 60)
    expect(byToken.granted.time_expires).toBe(new Date(start + 60_000).toISOString())
    vi.advanceTimersByTime(59_999)
    await byToken.call('current_user_view')
    vi.setSystemTime(start - 3_600_000)
    await byToken.call('current_user_view')
    vi.setSystemTime(start + 60_000)
    // A caller is cached for a moment, but not beyond the expiry.
    vi.advanceTimersByTime(1_000)
    expect(await byToken.refusal('current_user_view')).toEqual(unauthorized)
    const { items } = await admin.call('current_user_access_token_list')
    expect(items.map(({ id }) => id)).not.toContain(byToken.granted.token_id)
  })

  test('ends with its user', async () => {
    const user = await server.createUser('leaving')
    const byToken = await newToken(user.caller)
    await byToken.call('current_user_view')
    await server.db
      .updateTable('silo_user')
      .set({ time_deleted: new Date().toISOString() })
      .where('id', '=', user.id)
      .execute()
    expect(await byToken.refusal('current_user_view')).toEqual(unauthorized)
  })

  test('survives the session that confirmed it', async () => {
    const user = await server.createUser('confirming')
    const byToken = await newToken(user.caller)
    await user.caller.call('logout')
    expect(await byToken.call('current_user_view')).toMatchObject({ id: user.id })
  })
})

describe('open streams and consoles end', () => {
  test.each([plain, following])('with the token: consoles at %s', async (prefix) => {
    const byToken = await newToken()
    const viewer = viewConsole(server.url, byToken, machine, { prefix })
    await viewer.opened
    const closed = new Promise<[number, string]>((resolve) => {
      viewer.socket.once('close', (code, reason) => resolve([code, reason.toString()]))
    })
    viewer.type('echo here\r')
    await vi.waitFor(() => expect(viewer.seen()).toContain('here'), 30_000)
    const params = { token_id: byToken.granted.token_id }
    await admin.call('current_user_access_token_delete', { params })
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
  })

  test('with the token: event streams', async () => {
    const byToken = await newToken()
    const [stream, other] = [await open(byToken), await open(admin)]
    const body = { name: 'told-by-token', description: '' }
    const { id } = await admin.call('project_create', { body })
    while ((await stream.change()).resource_id !== id);
    const params = { token_id: byToken.granted.token_id }
    await admin.call('current_user_access_token_delete', { params })
    const rest: unknown[] = []
    for (let next = await stream.next(); next; next = await stream.next()) rest.push(next.data)
    expect(rest.filter((each) => (each as { action: string }).action === 'delete')).toEqual([])
    // The stream with the cookie continues, and receives the event.
    for (;;) {
      const change = await other.change()
      if (change.resource_id === params.token_id && change.action === 'delete') break
    }
    await other.close()
  })

  test('when the token expires: consoles', async () => {
    const byToken = await newToken()
    const viewer = viewConsole(server.url, byToken, machine)
    const closed = new Promise<number>((resolve) => viewer.socket.once('close', resolve))
    await viewer.opened
    await server.db
      .updateTable('access_token')
      .set({ time_expires: new Date().toISOString() })
      .where('id', '=', byToken.granted.token_id)
      .execute()
    expect(await closed).toBe(1008)
  })

  test('with the session', async () => {
    const { caller } = await server.createUser('signing-out')
    const stream = await open(caller)
    await caller.call('logout')
    expect(await stream.next()).toBeUndefined()
  })
})

describe('tokens and sessions of a user', () => {
  test('are listed for the user and for admins of the silo', async () => {
    const user = await server.createUser('watched')
    const { granted } = await newToken(user.caller)
    const params = { user_id: user.id }
    for (const caller of [user.caller, admin]) {
      const tokens = await caller.call('user_token_list', { params })
      expect(tokens.items.map(({ id }) => id)).toEqual([granted.token_id])
      expect((await caller.call('user_session_list', { params })).items).toHaveLength(1)
    }
  })

  test.each(['user_token_list', 'user_session_list', 'user_logout'] as const)(
    'are nobody else’s business: %s',
    async (operation) => {
      const user = await server.createUser(`private-${operation.replaceAll('_', '-')}`)
      const nosy = await server.createUser(`nosy-${operation.replaceAll('_', '-')}`, {
        silo: 'collaborator',
        fleet: 'admin',
      })
      const params = { user_id: user.id }
      expect(await nosy.caller.refusal(operation, { params })).toMatchObject({ status: 403 })
      const siloId = await server.createSilo(`apart-${operation.replaceAll('_', '-')}`)
      const stranger = await server.createUser('stranger', { silo: 'admin' }, siloId)
      expect(await stranger.caller.refusal(operation, { params })).toEqual({
        status: 404,
        error_code: 'ObjectNotFound',
        message: `not found: silo-user with id "${user.id}"`,
      })
    },
  )

  test('are all ended by an admin, with their streams and consoles', async () => {
    const user = await server.createUser('ended')
    const byToken = await newToken(user.caller)
    const streams = [await open(byToken), await open(user.caller)]
    await admin.call('user_logout', { params: { user_id: user.id } })
    for (const stream of streams) await stream.end()
    expect(await byToken.refusal('current_user_view')).toEqual(unauthorized)
    expect(await user.caller.refusal('current_user_view')).toEqual(unauthorized)
  })
  test('are all ended by the user', async () => {
    const user = await server.createUser('ending')
    await newToken(user.caller)
    await user.caller.call('user_logout', { params: { user_id: user.id } })
    expect(await user.caller.refusal('current_user_view')).toEqual(unauthorized)
    const left = await server.db
      .selectFrom('access_token')
      .select('id')
      .where('user_id', '=', user.id)
      .execute()
    expect(left).toEqual([])
  })
})

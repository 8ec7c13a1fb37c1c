/** Control plane specification 2.1 to 2.3: sessions, signing in and out. */
import { OTHER_HOST, otherHostMessage } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { stopClocks } from '../support/clock.ts'
import { Caller } from '../support/caller.ts'
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/harness.ts'

const IDLE = 60_000
const ABSOLUTE = 300_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ sessionIdleMs: IDLE, sessionAbsoluteMs: ABSOLUTE })
  await server.createUser('nopassword')
  await server.createSilo('remote', { identity_mode: 'saml_jit' })
  await server.createSilo('branch')
})
afterAll(() => server.close())
afterEach(() => void vi.useRealTimers())

const credentials = { username: 'admin', password: ADMIN_PASSWORD }

const login = (body: object = credentials, silo = 'main') =>
  server.anonymous.send('POST', `/v1/login/${silo}/local`, { body })
const refused = (body: object, silo = 'main') =>
  server.anonymous.refusal('login_local', { params: { silo_name: silo }, body })

async function signIn(): Promise<Caller> {
  const { headers } = await login()
  return new Caller(server.url, headers.get('set-cookie')!.split(';')[0])
}
const status = async (caller: Caller): Promise<number> =>
  (await caller.send('GET', '/v1/me')).status
const sessions = async (caller: Caller) => {
  const token = caller.cookie!.replace('session=', '')
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return server.db
    .selectFrom('console_session')
    .selectAll()
    .where('token_hash', '=', Buffer.from(hash).toString('hex'))
    .execute()
}
const unauthorized = {
  status: 401,
  error_code: 'Unauthorized',
  message: 'credentials missing or invalid',
}

/** Stops the clocks of this process and of the server. Timers keep working. */
function stopClock() {
  const start = Date.now()
  stopClocks(start)
  return {
    at: (milliseconds: number) => void vi.advanceTimersByTime(start + milliseconds - Date.now()),
  }
}

describe('signing in', () => {
  test('gives a cookie that scripts cannot read and other sites cannot use', async () => {
    const { status, headers } = await login()
    expect(status).toBe(204)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=300$/),
      expect.stringMatching(
        /^session-\d+=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=300$/,
      ),
      expect.stringMatching(/^silo=main; Path=\/; HttpOnly; /),
      expect.stringMatching(/^silo-\d+=main; Path=\/; HttpOnly; /),
      expect.stringMatching(/^device=[0-9a-f]{32}\.[0-9a-f]{64}; Path=\/v1\/login; HttpOnly; /),
      expect.stringMatching(/^device-\d+=[0-9a-f]{32}\.[0-9a-f]{64}; Path=\/v1\/login; HttpOnly; /),
    ])
  })

  test('gives each browser its own session', async () => {
    const [one, two] = [await signIn(), await signIn()]
    expect(one.cookie).not.toBe(two.cookie)
    await one.call('logout')
    expect([await status(one), await status(two)]).toEqual([401, 200])
  })

  test('stores no token that a copy of the database would reveal', async () => {
    const caller = await signIn()
    const [session] = await sessions(caller)
    expect(JSON.stringify(session)).not.toContain(caller.cookie!.replace('session=', ''))
  })

  test('fails in the same way for every wrong field', async () => {
    for (const wrong of [
      { ...credentials, password: `${ADMIN_PASSWORD}!` },
      { ...credentials, password: '' },
      { username: 'nobody', password: ADMIN_PASSWORD },
      { username: 'nopassword', password: '' },
    ]) {
      const answer = await login(wrong)
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(answer).toMatchObject({ status: 401, body: { message: unauthorized.message } })
    }
    expect(await refused({ ...credentials, password: 'x' })).toEqual(unauthorized)
  })

  test('is for one silo: names have no meaning in another', async () => {
    expect(await refused(credentials, 'branch')).toEqual(unauthorized)
    expect(await refused(credentials, 'nope')).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: silo with name "nope"',
    })
    expect(await refused(credentials, 'remote')).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: identity-provider with name "local"',
    })
  })

  test('refuses input that cannot be a user and a password', async () => {
    for (const wrong of [
      { username: 'Admin', password: 'x' },
      { username: 'admin' },
      { username: 'admin', password: 'x'.repeat(513) },
      { username: 'admin', password: 7 },
    ]) {
      expect(await refused(wrong)).toMatchObject({ status: 400 })
    }
  })
})

describe('a session', () => {
  test.each([
    ['alone', (cookie: string) => cookie],
    ['first of several', (cookie: string) => `${cookie}; theme=dark`],
    ['last of several', (cookie: string) => `theme=dark; x; ${cookie}`],
  ])('is found by its cookie, %s', async (_, header) => {
    const { cookie } = await signIn()
    expect(await status(new Caller(server.url, header(cookie!)))).toBe(200)
  })

  test.each(['session=', 'session', `session=${'0'.repeat(40)}`, 'Session=x', 'other=x', ''])(
    'is not known by %j',
    async (cookie) => {
      expect(await new Caller(server.url, cookie).refusal('current_user_view')).toEqual(
        unauthorized,
      )
    },
  )

  test('ends when it is idle', async () => {
    const clock = stopClock()
    const caller = await signIn()
    clock.at(IDLE - 1)
    expect(await status(caller)).toBe(200)
    // That was a use, so the idle time begins again.
    clock.at(2 * IDLE - 2)
    expect(await status(caller)).toBe(200)
    clock.at(3 * IDLE - 2)
    expect(await status(caller)).toBe(401)
    expect(await sessions(caller)).toEqual([])
  })

  test('ends for good some time after signing in, however much it is used', async () => {
    const clock = stopClock()
    const caller = await signIn()
    for (let time = 0; time < ABSOLUTE; time += IDLE / 2) {
      clock.at(time)
      expect(await status(caller)).toBe(200)
    }
    clock.at(ABSOLUTE - 1)
    expect(await status(caller)).toBe(200)
    clock.at(ABSOLUTE)
    expect(await status(caller)).toBe(401)
    expect(await sessions(caller)).toEqual([])
  })

  test('ends with its user, and with its silo', async () => {
    const siloId = await server.createSilo('passing')
    const leaver = await server.createUser('leaver')
    const resident = await server.createUser('resident', {}, siloId)
    const time_deleted = new Date().toISOString()
    await server.db
      .updateTable('silo_user')
      .set({ time_deleted })
      .where('id', '=', leaver.id)
      .execute()
    await server.db.updateTable('silo').set({ time_deleted }).where('id', '=', siloId).execute()
    expect([await status(leaver.caller), await status(resident.caller)]).toEqual([401, 401])
  })
})

describe('signing out', () => {
  test('ends the session and removes the cookie', async () => {
    const caller = await signIn()
    expect(await status(caller)).toBe(200)
    const answer = await caller.send('POST', '/v1/logout')
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()).toEqual([
      'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
      expect.stringMatching(/^session-\d+=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/),
    ])
    expect(await status(caller)).toBe(401)
    expect(await sessions(caller)).toEqual([])
  })

  test('always works', async () => {
    const caller = await signIn()
    for (const anybody of [caller, caller, server.anonymous]) {
      expect((await anybody.send('POST', '/v1/logout')).status).toBe(204)
    }
  })
})

describe('session cookies of other servers on the host', () => {
  const me = (cookie: string) => server.anonymous.fetch('/v1/me', { headers: { cookie } })

  test('keep nobody out: all are tried, and that of the port comes first', async () => {
    const { port } = new URL(server.url)
    const { headers } = await login()
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
    const own = cookies.find((cookie) => cookie.startsWith('session='))!
    const token = own.slice('session='.length)
    expect(cookies).toContain(`session-${port}=${token}`)
    expect((await me(`session=foreign; ${own}`)).status).toBe(200)
    expect((await me(`session=foreign; session-${port}=${token}`)).status).toBe(200)
    expect((await me(`session=foreign; session-1=${token}`)).status).toBe(401)
    const out = await server.anonymous.fetch('/v1/logout', {
      method: 'POST',
      headers: { cookie: `session=foreign; session-${port}=${token}` },
    })
    expect(out.status).toBe(204)
    expect(out.headers.getSetCookie()).toHaveLength(2)
    expect((await me(own)).status).toBe(401)
  })
})

test('a call from a page at another host is refused with the hosts, which the log has once', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const { host } = new URL(server.url)
  const message = otherHostMessage(host, 'cloud.test:8630')
  for (const path of ['/v1/login/main/local', '/x/v1/login/main/passkey', '/v1/nowhere']) {
    const response = await server.anonymous.fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'http://cloud.test:8630',
        cookie: 'session=any',
      },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    })
    expect(response.status, path).toBe(403)
    expect(await response.json()).toMatchObject({ error_code: OTHER_HOST, message })
  }
  const lines = log.mock.calls.map((line) => line.join(' '))
  expect(lines.filter((line) => line.includes('refused a call'))).toEqual([
    expect.stringContaining(`refused a call: ${message}`),
  ])
})

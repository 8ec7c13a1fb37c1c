/** Guessing passwords is slowed down. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ADDRESS_BURST, USER_BURST } from '../../src/resources/auth/throttle.ts'
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/harness.ts'

const REFILL = 6_000

let server: TestServer
const start = Date.now()
beforeEach(async () => {
  // Only dates stand still; the server shares them with this process.
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  server ??= await startTestServer()
})
afterEach(() => void vi.useRealTimers())
afterAll(() => server.close())

const attempt = async (password: string, username = 'admin'): Promise<number> => {
  const { status } = await server.anonymous.send('POST', '/v1/login/main/local', {
    body: { username, password },
  })
  return status
}
const fail = async (times: number, username?: string) => {
  for (let time = 0; time < times; time++) expect(await attempt('wrong', username)).toBe(401)
}

test('after a burst of failures even the right password has to wait', async () => {
  await fail(USER_BURST - 1)
  expect(await attempt(ADMIN_PASSWORD)).toBe(204)
  // Success forgives.
  await fail(USER_BURST)
  expect(await attempt(ADMIN_PASSWORD)).toBe(429)
  expect(
    await server.anonymous.refusal('login_local', {
      params: { silo_name: 'main' },
      body: { username: 'admin', password: ADMIN_PASSWORD },
    }),
  ).toEqual({
    status: 429,
    message: 'too many failed attempts to log in; wait a minute and try again',
  })
  // Waiting attempts are not counted as failures.
  vi.setSystemTime(start + REFILL - 1)
  expect(await attempt(ADMIN_PASSWORD)).toBe(429)
  vi.setSystemTime(start + REFILL)
  expect(await attempt(ADMIN_PASSWORD)).toBe(204)
})

test('many attempts at once are no way around', async () => {
  vi.setSystemTime(start + 500_000)
  const statuses = await Promise.all(Array.from({ length: 3 * USER_BURST }, () => attempt('wrong')))
  expect(statuses.filter((status) => status === 401)).toHaveLength(USER_BURST)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * USER_BURST)
})

test('one address cannot try many names', async () => {
  vi.setSystemTime(start + 1_000_000)
  for (let index = 1; index < ADDRESS_BURST; index++) await fail(1, `user-${index}`)
  // An account of one's own does not buy further guesses.
  expect(await attempt(ADMIN_PASSWORD)).toBe(204)
  await fail(1, 'one-more')
  expect(await attempt(ADMIN_PASSWORD)).toBe(429)
  vi.setSystemTime(start + 1_000_000 + REFILL)
  expect(await attempt(ADMIN_PASSWORD)).toBe(204)
})

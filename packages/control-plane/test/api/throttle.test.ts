/** Password guessing is slowed down, without affecting others. */
import { request } from 'node:http'
import { BlockList } from 'node:net'
import {
  IPV6_PREFIXES,
  SIGN_IN_FIRST_WAIT_MS,
  SIGN_IN_FORGET_MS,
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  SIGN_IN_MAX_WAIT_MS,
  tooManySignInsMessage,
} from '@steading/api/rules'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { stopClocks } from '../support/clock.ts'
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/harness.ts'

let server: TestServer
const start = Date.now()
beforeEach(async () => {
  // Clocks stand still; the server shares them with this process.
  stopClocks(start)
  server ??= await startTestServer()
})
afterEach(() => void vi.useRealTimers())
afterAll(() => server.close())

interface Attempt {
  username?: string
  silo?: string
  /** The client named by a trusted proxy. */
  client?: string
  at?: TestServer
  /** The source address, in 127.0.0.0/8. */
  from?: string
  device?: string
}

/** Tries to sign in. */
async function attempt(
  password: string,
  { username = 'admin', silo = 'main', from, client, at = server, device }: Attempt = {},
) {
  const { hostname, port } = new URL(at.url)
  return new Promise<{ status: number; message?: string; device?: string; retryAfter?: string }>(
    (resolve, reject) => {
      const call = request({
        hostname,
        port,
        localAddress: from,
        method: 'POST',
        path: `/v1/login/${silo}/local`,
        headers: {
          'content-type': 'application/json',
          ...(client && { 'x-forwarded-for': client }),
          ...(device && { cookie: `other=x; device=${device}` }),
        },
      })
      call.on('error', reject)
      call.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (data: string) => (text += data))
        response.on('end', () => {
          const cookie = response.headers['set-cookie']?.find((one) => one.startsWith('device='))
          resolve({
            status: response.statusCode!,
            message: text ? (JSON.parse(text) as { message: string }).message : undefined,
            device: cookie?.slice('device='.length).split(';')[0],
            retryAfter: response.headers['retry-after'],
          })
        })
      })
      call.end(JSON.stringify({ username, password }))
    },
  )
}
const statusOf = async (password: string, how?: Attempt) => (await attempt(password, how)).status
const fail = async (times: number, how?: Attempt) => {
  for (let time = 0; time < times; time++) expect(await statusOf('wrong', how)).toBe(401)
}

let addresses = 1
/** An address without earlier calls. */
const newAddress = (): string => `127.0.1.${addresses++}`

test('after some failures even the right password has to wait, longer each time', async () => {
  const from = newAddress()
  await fail(SIGN_IN_FREE_FAILURES - 1, { from })
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(204)
  // A success clears the failures.
  await fail(SIGN_IN_FREE_FAILURES, { from })
  let wait = SIGN_IN_FIRST_WAIT_MS
  for (let times = 0; times < 8; times++) {
    expect(await attempt(ADMIN_PASSWORD, { from })).toMatchObject({
      status: 429,
      message: tooManySignInsMessage(wait),
      retryAfter: String(Math.ceil(wait / 1000)),
    })
    // An attempt that has to wait is not a failure.
    vi.advanceTimersByTime(wait - 1)
    expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(429)
    vi.advanceTimersByTime(1)
    await fail(1, { from })
    wait = Math.min(2 * wait, SIGN_IN_MAX_WAIT_MS)
  }
  expect(wait).toBe(SIGN_IN_MAX_WAIT_MS)
  vi.advanceTimersByTime(wait)
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(204)
})

test('failures expire after a while', async () => {
  const from = newAddress()
  await fail(SIGN_IN_FREE_FAILURES + 0, { from })
  vi.advanceTimersByTime(SIGN_IN_FORGET_MS)
  await fail(SIGN_IN_FREE_FAILURES, { from })
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(429)
})

test('concurrent attempts are also counted', async () => {
  const from = newAddress()
  const attempts = Array.from({ length: 3 * SIGN_IN_FREE_FAILURES }, () =>
    statusOf('wrong', { from }),
  )
  const statuses = await Promise.all(attempts)
  expect(statuses.filter((status) => status === 401)).toHaveLength(SIGN_IN_FREE_FAILURES)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * SIGN_IN_FREE_FAILURES)
})

test('one address cannot try many names', async () => {
  const from = newAddress()
  for (let index = 1; index < SIGN_IN_FREE_FAILURES_OF_ADDRESS; index++) {
    await fail(1, { from, username: `user-${index}` })
  }
  // One's own account does not permit further guesses.
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(204)
  await fail(1, { from, username: 'one-more' })
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(429)
  vi.advanceTimersByTime(SIGN_IN_FIRST_WAIT_MS)
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(204)
})

test('a missing silo cannot be guessed at faster than an existing one', async () => {
  const statuses = async (silo: string) => {
    const from = newAddress()
    const found = []
    for (let times = 0; times < SIGN_IN_FREE_FAILURES + 2; times++) {
      found.push((await attempt('wrong', { from, silo })).status)
    }
    return found
  }
  const waits = [429, 429]
  const free = (status: number) => Array.from({ length: SIGN_IN_FREE_FAILURES }, () => status)
  expect(await statuses('nowhere')).toEqual([...free(404), ...waits])
  expect(await statuses('main')).toEqual([...free(401), ...waits])
  // One address cannot try many names of silos either.
  const from = newAddress()
  for (let index = 0; index < SIGN_IN_FREE_FAILURES_OF_ADDRESS; index++) {
    expect((await attempt('wrong', { from, silo: `silo-${index}` })).status).toBe(404)
  }
  expect((await attempt('wrong', { from, silo: 'another' })).status).toBe(429)
})

test('an IPv6 network is counted by prefixes of growing size @long', async () => {
  const trustedProxies = new BlockList()
  trustedProxies.addSubnet('127.0.0.0', 8, 'ipv4')
  const at = await startTestServer({ trustedProxies })
  onTestFinished(() => at.close())
  /** The number of names that clients can try if they change their address each time. */
  const tries = async (of: (index: number) => string, most: number) => {
    for (let index = 0; index < most; index++) {
      const client = of(index)
      if ((await statusOf('wrong', { at, client, username: `user-${index}` })) === 429) return index
    }
    return most
  }
  const free = SIGN_IN_FREE_FAILURES_OF_ADDRESS
  for (const { bits, share } of IPV6_PREFIXES) {
    const of = (index: number) =>
      bits === 64
        ? `2001:db8:64:0::${index.toString(16)}`
        : bits === 56
          ? `2001:db8:56:${(index % 256).toString(16)}::1`
          : `2001:db8:48:${((index * 256) % 65_536).toString(16)}::1`
    expect(await tries(of, 300), `/${bits}`).toBe(free * share)
  }
  // A neighbour in another /48 is not affected.
  expect(await statusOf(ADMIN_PASSWORD, { at, client: '2001:db8:49::1' })).toBe(204)
})

test('strangers who guess all the time do not keep the owner out', async () => {
  const [stranger, owner] = [newAddress(), newAddress()]
  const { device } = await attempt(ADMIN_PASSWORD, { from: owner })
  expect(device).toBeDefined()
  for (let second = 0; second < 120; second++) {
    await statusOf('wrong', { from: stranger })
    vi.advanceTimersByTime(1_000)
    // From another address, and from the same address on a known device.
    if (second % 10 !== 0) continue
    expect(await statusOf(ADMIN_PASSWORD, { from: owner })).toBe(204)
    expect(await statusOf(ADMIN_PASSWORD, { from: stranger, device })).toBe(204)
  }
  await statusOf('wrong', { from: stranger })
  expect(await statusOf(ADMIN_PASSWORD, { from: stranger })).toBe(429)
})

test('a known device is slowed down by its own failures, and only for its own users', async () => {
  const from = newAddress()
  const { device } = await attempt(ADMIN_PASSWORD, { from })
  await fail(SIGN_IN_FREE_FAILURES, { from, device })
  expect(await statusOf(ADMIN_PASSWORD, { from, device })).toBe(429)
  // Without its cookie it is unknown, and the address has attempts left.
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(204)

  await fail(SIGN_IN_FREE_FAILURES, { from, device, username: 'another' })
  expect(await statusOf('wrong', { from, device, username: 'another' })).toBe(429)
})

test('a forged cookie does not make a device known', async () => {
  const from = newAddress()
  const { device } = await attempt(ADMIN_PASSWORD, { from })
  const [id, proof] = device!.split('.')
  await fail(SIGN_IN_FREE_FAILURES, { from })
  const forged = [id!, `${id}.${'0'.repeat(64)}`, `${'0'.repeat(32)}.${proof}`, `${device}.`, 'x']
  for (const other of forged) {
    expect(await statusOf(ADMIN_PASSWORD, { from, device: other }), other).toBe(429)
  }
  expect(await statusOf(ADMIN_PASSWORD, { from, device })).toBe(204)
  // A new password makes all devices unknown.
  const hash = await server.db
    .selectFrom('silo_user')
    .select('password_hash')
    .where('external_id', '=', 'admin')
    .executeTakeFirstOrThrow()
  const setHash = (password_hash: string | null) =>
    server.db.updateTable('silo_user').set({ password_hash }).where('external_id', '=', 'admin')
  await setHash('$argon2id$another').execute()
  expect(await statusOf(ADMIN_PASSWORD, { from, device })).toBe(429)
  await setHash(hash.password_hash).execute()
})

test('a clock set back by an hour locks no user out', async () => {
  const from = newAddress()
  await fail(SIGN_IN_FREE_FAILURES - 1, { from })
  vi.setSystemTime(Date.now() - 3_600_000)
  await fail(1, { from })
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(429)
  vi.advanceTimersByTime(SIGN_IN_FIRST_WAIT_MS)
  expect(await statusOf(ADMIN_PASSWORD, { from })).toBe(204)
})

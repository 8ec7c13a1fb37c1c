/** Control plane specification 2.6 and 4.7: access tokens for devices, and their lifetime. */
import {
  DEVICE_GRANT_TYPE,
  DEVICE_REQUEST_KEPT_MS,
  deviceMessages,
  SIGN_IN_FREE_FAILURES,
} from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { stopClocks } from '../../support/clock.ts'
import type { Caller } from '../../support/caller.ts'
import { type Granted, newDevice, tokenOf } from '../../support/devices.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  // The test moves clocks by hours.
  server = await startTestServer({ sessionIdleMs: 86_400_000 })
  admin = server.admin
})
afterAll(() => server.close())
afterEach(async () => {
  vi.useRealTimers()
  await setMax(null)
})

const setMax = (seconds: number | null) =>
  admin.call('auth_settings_update', { body: { device_token_max_ttl_seconds: seconds } })
const confirm = (user: Caller, user_code: string) =>
  user.call('device_auth_confirm', { body: { user_code } })
const refused = (user: Caller, user_code: string) =>
  user.refusal('device_auth_confirm', { body: { user_code } })
const pending = { status: 400, body: { error: 'authorization_pending' } }
const notFound = (code: string) => ({
  status: 404,
  error_code: 'ObjectNotFound',
  message: `not found: device-auth-request with id "${code}"`,
})

describe('a device', () => {
  test('gets a code to show, and a token once a user has confirmed it', async () => {
    const device = await newDevice(server.anonymous)
    expect(device.codes).toEqual({
      device_code: expect.stringMatching(/^[0-9a-f]{40}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.url}/device/verify`,
      expires_in: 300,
    })
    expect(await device.poll()).toEqual(pending)
    await confirm(admin, device.codes.user_code)
    const granted = {
      access_token: expect.stringMatching(/^oxide-token-[0-9a-f]{40}$/),
      token_type: 'bearer',
      token_id: expect.any(String),
      time_expires: null,
    }
    const first = await device.poll()
    expect(first).toEqual({ status: 200, body: granted })
    // An answer that was lost can be requested again.
    expect(await device.poll()).toEqual(first)
    const { access_token } = first.body as Granted
    await admin.withToken(access_token).call('current_user_view')
  })

  test('gets the errors of the standard', async () => {
    const device = await newDevice(server.anonymous)
    await confirm(admin, device.codes.user_code)
    expect(await device.poll({ grant_type: 'password' })).toEqual({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    })
    // Neither a wrong code nor another client reveals the token.
    expect(await device.poll({ device_code: '0'.repeat(40) })).toEqual(pending)
    expect(await device.poll({ client_id: crypto.randomUUID() })).toEqual(pending)
    expect((await device.poll()).status).toBe(200)
  })

  test('gets no revoked or expired token', async () => {
    stopClocks()
    const device = await newDevice(server.anonymous, 60)
    await confirm(admin, device.codes.user_code)
    vi.advanceTimersByTime(60_000)
    expect(await device.poll()).toEqual({ status: 400, body: { error: 'access_denied' } })
    const other = await newDevice(server.anonymous)
    await confirm(admin, other.codes.user_code)
    const { token_id } = (await other.poll()).body as Granted
    await admin.call('current_user_access_token_delete', { params: { token_id } })
    expect(await other.poll()).toEqual(pending)
  })

  test.each([
    ['/device/auth', '', 'unable to parse URL-encoded body: missing field `client_id`'],
    [
      '/device/auth',
      'client_id=me',
      'unable to parse URL-encoded body: client_id: UUID parsing failed: invalid UUID "me"',
    ],
    [
      '/device/auth',
      `client_id=${crypto.randomUUID()}&ttl_seconds=0`,
      'unable to parse URL-encoded body: ttl_seconds: invalid value: integer `0`, expected a nonzero u32',
    ],
    [
      '/device/auth',
      `client_id=${crypto.randomUUID()}&ttl_seconds=soon`,
      'unable to parse URL-encoded body: ttl_seconds: invalid digit found in string',
    ],
    [
      '/device/token',
      `client_id=${crypto.randomUUID()}&grant_type=${DEVICE_GRANT_TYPE}`,
      'unable to parse URL-encoded body: missing field `device_code`',
    ],
  ])('asking %s with %j gets: %s', async (path, body, message) => {
    expect(await server.anonymous.send('POST', path, { body })).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  test('has to send a form', async () => {
    const response = await server.anonymous.fetch('/device/auth', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: crypto.randomUUID() }),
    })
    expect(response.status).toBe(400)
  })
})

describe('a code', () => {
  test('can be confirmed once, by a signed-in user', async () => {
    const { codes } = await newDevice(server.anonymous)
    expect(await refused(server.anonymous, codes.user_code)).toMatchObject({ status: 401 })
    await confirm(admin, codes.user_code)
    expect(await refused(admin, codes.user_code)).toEqual(notFound(codes.user_code))
  })

  test.each(['', 'BCDF-GHJK', 'bcdf-ghjk', '%', 'x'.repeat(500)])(
    'is not found if nobody was given it: %j',
    async (code) => {
      const user = await server.createUser(`typist-${crypto.randomUUID()}`)
      expect(await refused(user.caller, code)).toEqual(notFound(code))
    },
  )

  test('must be entered as issued, with its dash', async () => {
    const { codes } = await newDevice(server.anonymous)
    const user = await server.createUser('inexact')
    for (const code of [codes.user_code.replace('-', ''), codes.user_code.toLowerCase()]) {
      expect(await refused(user.caller, code)).toEqual(notFound(code))
    }
    await confirm(user.caller, codes.user_code)
  })

  test('expires after five minutes, and is deleted later', async () => {
    stopClocks()
    const [early, late, never] = await Promise.all([1, 2, 3].map(() => newDevice(server.anonymous)))
    vi.advanceTimersByTime(299_999)
    await confirm(admin, early!.codes.user_code)
    vi.advanceTimersByTime(1)
    expect(await refused(admin, late!.codes.user_code)).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: 'device authorization request expired',
    })
    vi.advanceTimersByTime(DEVICE_REQUEST_KEPT_MS)
    await newDevice(server.anonymous)
    expect(await refused(admin, never!.codes.user_code)).toEqual(notFound(never!.codes.user_code))
    expect(await never!.poll()).toEqual(pending)
  })

  test('is hard to guess: wrong codes slow down only their user', async () => {
    stopClocks()
    const guesser = await server.createUser('guesser')
    for (let guess = 0; guess < 10; guess++) {
      expect(await refused(guesser.caller, 'BCDF-GHJK')).toMatchObject({ status: 404 })
    }
    const { codes } = await newDevice(server.anonymous)
    expect(await refused(guesser.caller, codes.user_code)).toEqual({
      status: 429,
      message: 'too many wrong codes; try again in 1 second',
    })
    const other = await server.createUser('unbothered')
    await confirm(other.caller, codes.user_code)
    vi.advanceTimersByTime(1_000)
    const next = await newDevice(server.anonymous)
    await confirm(guesser.caller, next.codes.user_code)
  })
})

test("one's own code does not permit further guesses", async () => {
  const guesser = await server.createUser('patient-guesser')
  const found: number[] = []
  for (let round = 0; round < 3; round++) {
    for (let guess = 0; guess < 8; guess++) {
      found.push((await refused(guesser.caller, 'BCDF-GHJK')).status)
    }
    if (found.includes(429)) break
    await confirm(guesser.caller, (await newDevice(server.anonymous)).codes.user_code)
  }
  expect(found.filter((status) => status === 404)).toHaveLength(SIGN_IN_FREE_FAILURES)
})

test('limits the codes per address', async () => {
  stopClocks()
  const crowded = await startTestServer()
  for (let device = 0; device < 100; device++) await newDevice(crowded.anonymous)
  expect(
    await crowded.anonymous.send('POST', '/device/auth', {
      body: { client_id: crypto.randomUUID() },
    }),
  ).toMatchObject({
    status: 429,
    body: { message: 'too many requests for codes; try again in 1 second' },
  })
  await crowded.close()
})

describe('the lifetime of a token', () => {
  const start = Date.now()
  const after = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  const granted = async (ttl?: number, user: Caller = admin) =>
    (await tokenOf(user, server.anonymous, ttl)).granted.time_expires

  test('is as requested, or unlimited', async () => {
    stopClocks(start)
    expect(await granted()).toBeNull()
    expect(await granted(60)).toBe(after(60))
    expect(await granted(2 ** 32 - 1)).toBe(after(2 ** 32 - 1))
  })

  test('is limited by the silo', async () => {
    stopClocks(start)
    await setMax(3600)
    expect(await granted()).toBe(after(3600))
    expect(await granted(3600)).toBe(after(3600))
    const { codes } = await newDevice(server.anonymous, 3601)
    expect(await refused(admin, codes.user_code)).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message:
        'Requested TTL 3601 seconds exceeds maximum allowed TTL for this silo of 3600 seconds',
    })
    // The request still exists, and succeeds once the limit is gone.
    await setMax(null)
    await confirm(admin, codes.user_code)
  })

  test('is limited by that of the confirming token', async () => {
    stopClocks(start)
    const byToken = await tokenOf(admin, server.anonymous, 600)
    expect(await granted(undefined, byToken)).toBe(after(600))
    expect(await granted(599, byToken)).toBe(after(599))
    const { codes } = await newDevice(server.anonymous, 601)
    expect(await refused(byToken, codes.user_code)).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: deviceMessages.overOwnExpiry,
    })
    await setMax(60)
    expect(await granted(undefined, byToken)).toBe(after(60))
  })

  test('is unchanged when the silo lowers its limit', async () => {
    const byToken = await tokenOf(admin, server.anonymous)
    await setMax(1)
    await byToken.call('current_user_view')
    const { items } = await admin.call('current_user_access_token_list')
    expect(items.find(({ id }) => id === byToken.granted.token_id)?.time_expires).toBeNull()
  })
})

describe('the settings of a silo', () => {
  test('can be read by all its users, and changed by its admins', async () => {
    const user = await server.createUser('reader')
    const { siloId: silo_id } = server
    expect(await user.caller.call('auth_settings_view')).toEqual({
      silo_id,
      device_token_max_ttl_seconds: null,
    })
    expect(await setMax(86_400)).toEqual({ silo_id, device_token_max_ttl_seconds: 86_400 })
    expect(await user.caller.call('auth_settings_view')).toEqual({
      silo_id,
      device_token_max_ttl_seconds: 86_400,
    })
    const body = { device_token_max_ttl_seconds: null }
    expect(await user.caller.refusal('auth_settings_update', { body })).toMatchObject({
      status: 403,
    })
  })

  test.each([
    [{}],
    [{ device_token_max_ttl_seconds: 0 }],
    [{ device_token_max_ttl_seconds: 2 ** 32 }],
    [{ device_token_max_ttl_seconds: '60' }],
  ])('refuse %j', async (body) => {
    expect(await admin.refusal('auth_settings_update', { body })).toMatchObject({
      status: 400,
      message: expect.stringContaining('device_token_max_ttl_seconds'),
    })
  })
})

/** Control plane specification 10.2: the addresses that may reach the services. */
import { BlockList } from 'node:net'
import { allowListMessages } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Caller, overHttp } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { until } from '../../support/things.ts'

const trustedProxies = new BlockList()
trustedProxies.addSubnet('127.0.0.0', 8, 'ipv4')

const OFFICE = '203.0.113.7'
const STRANGER = '198.51.100.7'
const PATH = '/v1/system/networking/allow-list'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer({ trustedProxies })
  overHttp(server)
  admin = server.admin
})
afterAll(() => server.close())

/** A call of a client behind a proxy. */
const from = (address: string, caller: Caller = admin) => ({
  put: (allowed_ips: object) =>
    caller.send('PUT', PATH, {
      body: { allowed_ips },
      headers: { 'x-forwarded-for': address },
    }),
  get: async (path = PATH) => {
    const headers = { 'x-forwarded-for': address }
    const answer = await caller.fetch(path, { headers })
    return answer.status
  },
})
const list = (...ips: string[]) => ({ allow: 'list', ips })
const anyone = () => from('127.0.0.1').put({ allow: 'any' })

describe('the allow list', () => {
  test('admits everyone at first, and networks once it has some', async () => {
    const before = await admin.call('networking_allow_list_view')
    expect(before.allowed_ips).toEqual({ allow: 'any' })
    const { status, body } = await from(OFFICE).put(
      list('203.0.113.0/24', '2001:DB8::/32', '203.0.113.0/24', '127.0.0.1/32'),
    )
    onTestFinished(async () => void (await anyone()))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      allowed_ips: list('203.0.113.0/24', '2001:db8::/32', '127.0.0.1/32'),
      time_created: before.time_created,
    })
    expect(await admin.call('networking_allow_list_view')).toEqual(body)
  })

  test.each([
    ['the unspecified address', list('0.0.0.0/32'), allowListMessages.unspecified],
    ['the unspecified address of IPv6', list('::/128'), allowListMessages.unspecified],
    ['everything', list(`${OFFICE}/32`, '0.0.0.0/0'), allowListMessages.everything],
    ['everyone but the caller', list('203.0.113.8/29'), allowListMessages.lockout],
    ['only IPv6', list('2001:db8::/32'), allowListMessages.lockout],
    [
      'too much',
      list(...Array.from({ length: 1025 }, () => `${OFFICE}/32`)),
      allowListMessages.tooMany,
    ],
  ])('with %s is refused', async (_, wanted, message) => {
    expect(await from(OFFICE).put(wanted)).toMatchObject({
      status: 400,
      body: { error_code: 'InvalidRequest', message },
    })
  })

  test('is never empty', async () => {
    const { status, body } = await from(OFFICE).put(list())
    expect(status).toBe(400)
    expect(body).toMatchObject({
      message: expect.stringMatching(
        /^unable to parse JSON body: .*IP allowlist must not be empty/,
      ),
    })
  })

  test('keeps everyone else out, and ends their open streams', async () => {
    onTestFinished(async () => void (await anyone()))
    const stream = await admin.fetch('/x/v1/events', {
      headers: { 'x-forwarded-for': STRANGER },
    })
    expect(stream.status).toBe(200)
    expect(await from(STRANGER).get()).toBe(200)
    await from(OFFICE).put(list('203.0.113.0/24', '127.0.0.1/32'))
    for (const path of [PATH, '/v1/ping', '/login', '/nowhere']) {
      expect(await from(STRANGER).get(path)).toBe(403)
    }
    expect(await from(OFFICE).get()).toBe(200)
    const { status, body } = await from(STRANGER).put({ allow: 'any' })
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { message: 'Access from this address is not allowed' },
    })
    // Only a proxy's word about a client counts, and an invalid address is on no list.
    expect(await from(`${OFFICE}, ${STRANGER}`).get()).toBe(403)
    for await (const _ of stream.body!) continue
  })

  test('applies after a restart, and on every server', async () => {
    await from(OFFICE).put(list('203.0.113.0/24', '127.0.0.1/32'))
    const { data, databaseUrl } = server
    const where = { trustedProxies, data, ...(databaseUrl ? { databaseUrl } : {}) }
    // Only servers on PostgreSQL may share their data.
    if (inject('dialect') === 'sqlite') await server.host.close()
    const other = await startTestServer(where)
    expect(await from(STRANGER, other.admin).get()).toBe(403)
    if (inject('dialect') === 'postgres') {
      await anyone()
      await until(
        () => from(STRANGER, other.admin).get(),
        (status) => expect(status).toBe(200),
      )
    }
    await other.host.close()
    const ignoring = await startTestServer({ ...where, ignoreAllowList: true })
    onTestFinished(() => ignoring.host.close())
    expect(await from(STRANGER, ignoring.admin).get()).toBe(200)
  })
})

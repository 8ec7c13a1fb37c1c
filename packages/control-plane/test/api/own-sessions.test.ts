/** The sessions of a user. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller } from '../support/caller.ts'
import { tokenOf } from '../support/devices.ts'
import { EventStream } from '../support/event-stream.ts'
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function signIn(browser: string): Promise<Caller> {
  const { headers } = await server.anonymous.send('POST', '/v1/login/main/local', {
    body: { username: 'admin', password: ADMIN_PASSWORD },
    headers: { 'user-agent': browser },
  })
  return new Caller(server.url, headers.getSetCookie()[0]!.split(';')[0])
}

test.each([
  ['203.0.114.7', undefined, { address: '203.0.114.7', doubt: null }],
  ['2a00:1450::1', '2a00:1450::1', { address: '2a00:1450::1', doubt: null }],
  // Behind a trusted proxy the host has taken the address from the header.
  ['203.0.114.7', '203.0.114.7:4711, 10.0.0.2', { address: '203.0.114.7', doubt: null }],
  ['2a00:1450::1', '[2a00:1450::1]:4711', { address: '2a00:1450::1', doubt: null }],
  ['203.0.114.7', '198.18.0.1', { address: '203.0.114.7', doubt: 'proxied' }],
  ['203.0.114.7', '198.18.0.1, 203.0.114.7', { address: '203.0.114.7', doubt: 'proxied' }],
  ['10.0.0.2', undefined, { address: '10.0.0.2', doubt: 'private' }],
  ['::1', ' ', { address: '::1', doubt: 'private' }],
  ['', undefined, { address: null, doubt: 'unknown' }],
])('the address of a caller at %j, forwarded for %j', async (clientAddress, forwarded, answer) => {
  const headers = new Headers(server.admin.credentials)
  if (forwarded !== undefined) headers.set('x-forwarded-for', forwarded)
  const request = new Request(`${server.url}/x/v1/me/address`, { headers })
  const response = await server.host.controlPlane.fetch(request, { clientAddress })
  expect(await response.json()).toEqual(answer)
})

async function follow(caller: Caller): Promise<EventStream> {
  const stream = new EventStream(await caller.fetch('/x/v1/events'))
  await stream.block()
  return stream
}

test('a session shows its origin, and whether it is the present one', async () => {
  const laptop = await signIn('Laptop/1.0')
  await signIn('x'.repeat(2_000))
  const { items } = await laptop.call('current_user_session_list')
  const own = items.find(({ current }) => current)!
  expect(own).toMatchObject({ user_agent: 'Laptop/1.0', client_address: '127.0.0.1' })
  expect(Date.parse(own.time_expires) - Date.parse(own.time_created)).toBe(86_400_000)
  expect(items.filter(({ current }) => current)).toHaveLength(1)
  expect(items.map(({ user_agent }) => user_agent)).toContain('x'.repeat(512))
  // The session of the tests was not opened by a browser.
  expect(items.map(({ user_agent }) => user_agent)).toContain(null)
})

test('other sessions can be ended, one or all, with their streams', async () => {
  const user = await server.createUser('roaming')
  const [here, there, elsewhere] = [
    user.caller,
    await server.signInAs(user.id),
    await server.signInAs(user.id),
  ]
  const streams = [await follow(there), await follow(elsewhere)]
  const staying = await follow(here)
  const sessionOf = async (caller: Caller) =>
    (await caller.call('current_user_session_list')).items.find(({ current }) => current)!.id
  const id = await sessionOf(there)
  await here.call('current_user_session_delete', { params: { session_id: id } })
  await streams[0]!.end()
  expect(await there.refusal('current_user_view')).toMatchObject({ status: 401 })
  expect(await staying.changeOf('sessions')).toMatchObject({ resource_id: id })
  await here.call('current_user_session_delete_others')
  await streams[1]!.end()
  expect(await elsewhere.refusal('current_user_view')).toMatchObject({ status: 401 })
  expect((await here.call('current_user_session_list')).items).toHaveLength(1)
  await staying.close()
})

test('sessions of others do not exist for a user', async () => {
  const [one, other] = [await server.createUser('one'), await server.createUser('other')]
  const { items } = await one.caller.call('current_user_session_list')
  const params = { session_id: items[0]!.id }
  expect(await other.caller.refusal('current_user_session_delete', { params })).toEqual({
    status: 404,
    error_code: 'ObjectNotFound',
    message: `not found: console-session with id "${items[0]!.id}"`,
  })
  await one.caller.call('current_user_session_delete', { params })
  expect(await one.caller.refusal('current_user_view')).toMatchObject({ status: 401 })
})

test('a token has no session, and can end all of them', async () => {
  const user = await server.createUser('automated')
  const byToken = await tokenOf(user.caller, server.anonymous)
  const { items } = await byToken.call('current_user_session_list')
  expect(items.map(({ current }) => current)).toEqual([false])
  await byToken.call('current_user_session_delete_others')
  expect((await byToken.call('current_user_session_list')).items).toEqual([])
  await byToken.call('current_user_view')
})

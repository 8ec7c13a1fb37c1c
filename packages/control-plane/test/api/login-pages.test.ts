/** Control plane specification 2.5: redirects of a browser without a session to a sign-in page. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, ADMIN_PASSWORD, type TestServer } from '../support/harness.ts'
import { siloBody } from '../support/things.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('silo_create', { body: siloBody('brewery') })
  await server.admin.call('silo_create', {
    body: siloBody('observatory', { identity_mode: 'saml_jit' }),
  })
})
afterAll(() => server.close())

/** The redirect from a page of the console; `fetch` cannot send another host. */
async function sentTo(path: string, { host, cookie }: { host?: string; cookie?: string } = {}) {
  const asked = request(server.url + path, {
    headers: { accept: 'text/html', ...(host && { host }), ...(cookie && { cookie }) },
  })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return [answer.statusCode, answer.headers.location]
}
const back = `redirect_uri=${encodeURIComponent('/projects/a?b=c')}`

describe('a browser without a session signs in', () => {
  test('to the first silo, at an address without a silo', async () => {
    expect(await sentTo('/projects/a?b=c')).toEqual([302, `/login/main/local?${back}`])
    expect(await sentTo('/login')).toEqual([302, '/login/main/local'])
  })

  test('to the silo of the host name', async () => {
    const host = 'brewery.sys.cloud.example'
    expect(await sentTo('/projects/a?b=c', { host })).toEqual([302, `/login/brewery/local?${back}`])
    // The host decides, whatever the address or cookie.
    expect(await sentTo('/login?silo=main', { host, cookie: 'silo=main' })).toEqual([
      302,
      '/login/brewery/local',
    ])
    expect((await sentTo('/projects', { host: 'nobody.sys.cloud.example' }))[0]).toBe(404)
  })

  test('to the silo of its last sign-in', async () => {
    const answer = await server.anonymous.send('POST', '/v1/login/main/local', {
      body: { username: 'admin', password: ADMIN_PASSWORD },
    })
    expect(answer.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^silo=main; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
    )
    const cookie = 'silo=brewery'
    expect(await sentTo('/projects', { cookie })).toEqual([
      302,
      `/login/brewery/local?redirect_uri=${encodeURIComponent('/projects')}`,
    ])
    for (const gone of ['silo=gone', 'silo=%00', 'silo=', 'silo=../..', `silo=${'x'.repeat(99)}`]) {
      expect(await sentTo('/login', { cookie: gone })).toEqual([302, '/login/main/local'])
    }
  })

  test('to a silo that the user names', async () => {
    expect(await sentTo(`/login?silo=brewery&${back}`)).toEqual([
      302,
      `/login/brewery/local?${back}`,
    ])
    // A wrong name can be corrected.
    expect(await sentTo(`/login?silo=brewry&${back}`)).toEqual([
      302,
      `/login/choose?silo=brewry&${back}`,
    ])
    expect(await sentTo('/login?silo=%00')).toEqual([302, '/login/choose?silo=%00'])
    expect(await sentTo(`/login?silo=${encodeURIComponent('//evil.example/?')}`)).toEqual([
      302,
      `/login/choose?silo=${encodeURIComponent('//evil.example/?')}`,
    ])
  })

  test('at an identity provider, once there is one', async () => {
    const host = 'observatory.sys.cloud.example'
    expect((await sentTo('/login', { host }))[0]).toBe(400)
  })
})

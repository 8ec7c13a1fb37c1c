/** Control plane specification 1.1, 1.2, 1.3 and 1.6: the conventions of every call. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOT_SEGMENTS, packetProblems, PASSWORD_MIN } from '@steading/api/rules'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'
import { detachedDisk } from '../support/things.ts'

let server: TestServer
let viewer: User

beforeAll(async () => {
  server = await startTestServer()
  viewer = await server.createUser('viewer', { silo: 'viewer' })
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
})
afterAll(() => server.close())

const project = (name: string) => ({ body: { name, description: '' } })
const unknownId = '00000000-0000-4000-8000-000000000000'

describe('errors', () => {
  test('describe the problem in one format, without a code where there is none', async () => {
    expect(await server.admin.refused('GET', '/v1/nonsense')).toEqual({
      status: 404,
      message: 'Not Found',
    })
    expect(await server.admin.refusal('project_view', { params: { project: 'nope' } })).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: project with name "nope"',
    })
    expect(await server.admin.refusal('project_view', { params: { project: unknownId } })).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: project with id "${unknownId}"`,
    })
    expect(await server.admin.refusal('project_create', project('web'))).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: project "web"',
    })
    expect(await viewer.caller.refusal('project_create', project('new'))).toEqual({
      status: 403,
      error_code: 'Forbidden',
      message: 'Forbidden',
    })
    expect(await server.anonymous.refusal('project_list')).toEqual({
      status: 401,
      error_code: 'Unauthorized',
      message: 'credentials missing or invalid',
    })
  })

  test('each have their own request id', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () =>
        (await server.admin.send('GET', '/v1/nonsense')).headers.get('x-request-id'),
      ),
    )
    expect(new Set(ids).size).toBe(3)
  })

  test('for methods name the allowed methods', async () => {
    const { status, headers, body } = await server.admin.send('DELETE', '/v1/projects')
    expect(status).toBe(405)
    expect(body).toMatchObject({ message: 'Method Not Allowed' })
    expect(body).not.toHaveProperty('error_code')
    expect(headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'POST'])
    const one = await server.anonymous.send('PATCH', '/v1/projects/web')
    expect(one.status).toBe(405)
    expect(one.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PUT'])
    // A fixed path is not a name in a path with a parameter.
    const trial = await server.admin.send('GET', '/x/v1/alert-rules/try')
    expect(trial.status).toBe(405)
    expect(trial.headers.get('allow')).toBe('POST')
  })

  test('for paths', async () => {
    expect(await server.admin.refused('GET', '/v1/projects/%zz')).toEqual({
      status: 400,
      message: 'invalid path encoding',
    })
    expect(await server.admin.refused('GET', '/v1/projects/A')).toEqual({
      status: 400,
      message:
        'bad parameter in URL path: project: data did not match any variant of untagged enum NameOrId',
    })
    expect((await server.admin.refused('GET', '/v1/users/admin')).message).toMatch(
      /^bad parameter in URL path: .*UUID/,
    )
    expect((await server.admin.refused('GET', '/v1/nothing')).status).toBe(404)
    expect((await server.admin.refused('GET', '/v1')).status).toBe(404)
  })

  test('are the same for an encoded path', async () => {
    expect(await server.admin.send('GET', '/v1/projects/%77eb')).toMatchObject({
      status: 200,
      body: { name: 'web' },
    })
  })
})

describe('checks come in order', () => {
  test.each([
    ['a body', 'POST', '/v1/projects', '{'],
    ['a field', 'POST', '/v1/projects', '{"name":"A","description":""}'],
    ['a path', 'GET', '/v1/projects/A', undefined],
    ['a query', 'GET', '/v1/projects?limit=0', undefined],
    ['a page token', 'GET', '/v1/projects?page_token=x', undefined],
    ['a missing selector', 'GET', '/v1/instances', undefined],
  ])('%s that cannot be parsed is refused before authentication', async (_, method, path, body) => {
    expect(await server.anonymous.refused(method, path, { body })).toMatchObject({ status: 400 })
  })

  test('without credentials, existence does not matter', async () => {
    const unauthorized = { status: 401, error_code: 'Unauthorized' }
    for (const name of ['web', 'nope', unknownId]) {
      expect(
        await server.anonymous.refusal('project_view', { params: { project: name } }),
      ).toMatchObject(unauthorized)
    }
  })

  test('permission comes before the validity of the request', async () => {
    expect(await viewer.caller.refusal('project_create', project('web'))).toMatchObject({
      status: 403,
    })
    expect(
      await viewer.caller.refusal('project_delete', { params: { project: 'web' } }),
    ).toMatchObject({ status: 403 })
  })

  test('the version comes before the route', async () => {
    expect(
      await server.anonymous.refused('GET', '/v1/nonsense', { headers: { 'api-version': '9' } }),
    ).toMatchObject({ status: 400 })
    expect(
      await server.anonymous.refused('DELETE', '/v1/ping', { headers: { 'api-version': '9' } }),
    ).toMatchObject({ status: 400 })
  })
})

describe('a path', () => {
  /** A request by a raw path, because `fetch` resolves dot segments. */
  const get = (path: string) =>
    new Promise<[status: number | undefined, body: string]>((resolve, reject) => {
      const { port } = new URL(server.url)
      const headers = { cookie: server.admin.cookie }
      request({ port, path, headers }, async (answer) => {
        let body = ''
        for await (const chunk of answer) body += String(chunk)
        resolve([answer.statusCode, body])
      })
        .on('error', reject)
        .end()
    })

  test.each(['//v1/me', '/v1/me/', '/v1//me//', '///x//v1/stars/', '//v1//ping'])(
    '%s, with empty segments, is answered like the plain path',
    async (path) => {
      const plain = path.replaceAll(/\/+/g, '/').replace(/\/$/, '')
      expect(await get(path)).toEqual(await get(plain))
      expect((await get(path))[0]).toBe(200)
    },
  )

  test.each(['/v1/./me', '/v1/../v1/me', '//v1/%2e%2E/v1/me'])('%s is refused', async (path) => {
    const [status, body] = await get(path)
    expect([status, JSON.parse(body).message]).toEqual([400, DOT_SEGMENTS])
  })
})

describe('the header api-version', () => {
  const ping = (version: string) =>
    server.anonymous.send('GET', '/v1/ping', { headers: { 'api-version': version } })

  test.each(['2026081901.0.0', '2026081700.0.0', '2026021301.0.0', '2026081901.0.0-rc.1'])(
    '%s is served',
    async (version) => {
      expect((await ping(version)).status).toBe(200)
    },
  )

  test.each([
    '2026081902.0.0',
    '2026081901.0.1',
    '2026081901.1.0',
    '2027010100.0.0',
    '2026081901.0.0+build',
    '2026073100.0.0+1',
  ])('%s is newer than this server, or another build of a version', async (version) => {
    expect(await ping(version)).toMatchObject({
      status: 400,
      body: { message: `server does not support this API version: ${version}` },
    })
  })

  test.each(['2026021300.9.9', '2025112000.0.0', '1.0.0'])(
    '%s is older than all versions that are served',
    async (version) => {
      expect(await ping(version)).toMatchObject({
        status: 400,
        body: {
          message: expect.stringMatching(
            /; it serves 2026021301\.0\.0, (\d{10}\.0\.0, ){29}2026081901\.0\.0$/,
          ),
        },
      })
    },
  )

  test.each(['1', '1.0', 'latest', '2026081901', '01.0.0', '1.0.0.0', 'v1.0.0'])(
    '%s is no version',
    async (version) => {
      const { status, body } = await ping(version)
      expect(status).toBe(400)
      const { message } = body as { message: string }
      expect(message.startsWith('bad value for header "api-version": ')).toBe(true)
      expect(message.endsWith(`: ${version}`)).toBe(true)
    },
  )
})

describe('bodies', () => {
  const create = (body: string, headers: Record<string, string> = {}) =>
    server.admin.refused('POST', '/v1/projects', { body, headers })

  test('are JSON, and errors give the position', async () => {
    expect(await create('{"name": "x",}')).toEqual({
      status: 400,
      message: 'unable to parse JSON body: trailing comma at line 1 column 14',
    })
    expect(await create('')).toEqual({
      status: 400,
      message: 'unable to parse JSON body: EOF while parsing a value at line 1 column 0',
    })
    expect(await create('{"name": "x"}')).toEqual({
      status: 400,
      message: 'unable to parse JSON body: missing field `description` at line 1 column 13',
    })
    expect(await create('{"description": "", "name": "a_"}')).toEqual({
      status: 400,
      message:
        'unable to parse JSON body: name: name contains invalid character: "_" (allowed characters are lowercase ASCII, digits, and "-") at line 1 column 32',
    })
  })

  test('have descriptions of at most 512 characters', async () => {
    const { status, message } = await create(
      JSON.stringify({ name: 'long', description: 'x'.repeat(513) }),
    )
    expect(status).toBe(400)
    expect(message).toMatch(/^unable to parse JSON body: description: /)
  })

  test.each(['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8'])(
    'of type %s are read',
    async (type) => {
      const name = `typed-${crypto.randomUUID().slice(0, 8)}`
      const { status } = await server.admin.send('POST', '/v1/projects', {
        body: { name, description: '' },
        headers: { 'content-type': type },
      })
      expect(status).toBe(201)
    },
  )

  test('without a type are taken as JSON', async () => {
    const response = await server.admin.fetch('/v1/projects', {
      method: 'POST',
      // Bytes, because for text fetch would send a type.
      body: new TextEncoder().encode('{"name":"untyped","description":""}'),
    })
    expect(response.status).toBe(201)
  })

  test('of other types are refused', async () => {
    expect(await create('name=x', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual(
      {
        status: 400,
        message:
          'expected content type "application/json", got "application/x-www-form-urlencoded"',
      },
    )
    expect(await create('{}', { 'content-type': 'text/csv; header=absent' })).toEqual({
      status: 400,
      message: 'unsupported content-type: text/csv',
    })
  })

  const tooLarge = {
    status: 400,
    message: 'request body exceeded maximum size of 1048576 bytes',
  }

  test('may have a mebibyte at most', async () => {
    const padded = (length: number) => {
      const text = JSON.stringify({ name: 'large', description: '' })
      return text + ' '.repeat(length - text.length)
    }
    expect(await create(padded(1024 * 1024 + 1))).toEqual(tooLarge)
    const { status } = await server.admin.send('POST', '/v1/projects', {
      body: padded(1024 * 1024),
    })
    expect(status).toBe(201)
  })

  test('are measured as they arrive, if their length is not declared', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(64 * 1024))
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length
        controller.enqueue(chunk)
        if (sent > 4 * 1024 * 1024) controller.close()
      },
    })
    const response = await server.admin.fetch('/v1/projects', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(await response.json()).toMatchObject({ message: tooLarge.message })
    expect(response.status).toBe(400)
  })

  test('are not required for operations without one', async () => {
    const { status } = await server.anonymous.send('POST', '/v1/logout', { body: 'no JSON at all' })
    expect(status).toBe(204)
  })
})

describe('answers', () => {
  test('are compressed for clients that accept it', async () => {
    const { caller } = await server.createUser('zip')
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
      await caller.call('current_user_ssh_key_create', {
        body: { name, description: 'x'.repeat(500), public_key: 'ssh-ed25519 AAAA' },
      })
    }
    const accept = (encoding: string) =>
      caller.fetch('/v1/me/ssh-keys', { headers: { 'accept-encoding': encoding } })
    const [plain, zipped] = [await accept('identity'), await accept('gzip')]
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(await zipped.json()).toEqual(await plain.json())
  })

  test('have times in UTC as RFC 3339', async () => {
    const { time_created } = await server.admin.call('project_view', { params: { project: 'web' } })
    expect(time_created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  })
})

describe('the extensions', () => {
  test('are listed for every caller', async () => {
    expect(await server.anonymous.call('capabilities_view')).toEqual({
      product: 'Steading',
      image_formats: [],
      instance_network: false,
      vpc_network_status: true,
      firewall_use: false,
      denied_packets: false,
      system_networks: false,
      real_packets: false,
      real_packets_problem: packetProblems.unavailable('simulated'),
      network_lacks: [],
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      engine: 'simulated',
      engine_lacks: ['displays'],
      events: true,
      lists: true,
      list_counts: true,
      tag_groups: true,
      tag_filters: true,
      disk_contents: true,
      import_resume: true,
      raw_import: true,
      image_downloads: true,
      jobs: true,
      instance_moves: true,
      move_cancel: true,
      sled_maintenance: true,
      hosts: true,
      storage_pools: true,
      deletion: true,
      serial_console_resume: true,
      serial_console_log: true,
      display: false,
      instance_failure: true,
      snapshot_consistency: true,
      find: true,
      stars: true,
      views: true,
      tags: true,
      dashboards: true,
      audit_log: true,
      own_actions: true,
      ending_certificates: true,
      sessions: true,
      setting_versions: true,
      access_tokens: true,
      service_accounts: true,
      access: true,
      own_password: true,
      password_min: PASSWORD_MIN,
      reachability: true,
      hardware: true,
      updates: true,
      docs: true,
      forecasts: true,
      usage: true,
      issues: true,
      overviews: true,
      alert_rules: true,
      schedules: true,
      deleted_resources: true,
      project_offers: true,
      instance_clones: true,
      own_address: true,
      disk_growth: true,
      roll_backs: true,
      instance_templates: true,
      project_terraform: true,
      notifications: true,
      notification_mail: false,
      notification_webhooks: true,
      simulation: true,
      multicast: false,
      saml_metadata: true,
      saml_sign_in_settings: true,
      provider_sign_ins: true,
      user_identities: true,
      user_links: true,
      user_mail: false,
      oidc: true,
      second_factors: true,
      users: true,
    })
  })

  test('include the contract itself', async () => {
    const { body } = await server.anonymous.send('GET', '/x/v1/openapi.json')
    expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/v1/projects': {} } })
  })

  test('can be turned off', async () => {
    const plain = await startTestServer({ extensions: false })
    try {
      for (const path of ['/x/v1/capabilities', '/x/v1/events', '/x/v1/openapi.json']) {
        expect(await plain.admin.refused('GET', path)).toEqual({
          status: 404,
          message: 'Not Found',
        })
      }
    } finally {
      await plain.close()
    }
  })
})

test('proxies pass streamed answers on at once and unchanged, and may compress the others', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const disk = await detachedDisk(server.admin, { project: 'web' }, 'large')
  const streamed = [
    '/x/v1/events',
    '/x/v1/audit-log/export?format=csv',
    `/x/v1/usage/records?first_day=${today}&last_day=${today}`,
    '/x/v1/projects/web/terraform',
    // It takes minutes, and begins with blanks.
    `/x/v1/disks/${disk.id}/checksum?length=40000000`,
  ]
  const headersOf = async (path: string) => {
    const { status, headers, body } = await server.admin.fetch(path)
    await body?.cancel()
    const caching = headers.get('cache-control')
    return { path, status, buffering: headers.get('x-accel-buffering'), caching }
  }
  for (const path of streamed) {
    expect(await headersOf(path)).toEqual({
      path,
      status: 200,
      buffering: 'no',
      caching: 'no-cache, no-store, no-transform',
    })
  }
  const plain = { status: 200, buffering: null, caching: 'no-store' }
  expect(await headersOf('/v1/projects')).toEqual({ path: '/v1/projects', ...plain })
})

import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { consolePaths, GiB, JOB_PLAN_KEPT_MS } from '@steading/api/rules'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { consoleContentPolicy } from '../src/static.ts'
import {
  PASSWORD,
  post,
  type RunningServer,
  runToEnd,
  signIn,
  startProcess,
  migratedDirectory,
  temporaryDirectory,
} from './support/process.ts'

/** Everything received on one connection after sending these bytes, as text. */
function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.setEncoding('latin1').on('data', (data: string) => (text += data))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

const projectNames = async (url: string, cookie: string): Promise<string[]> => {
  const response = await fetch(`${url}/v1/projects`, { headers: { cookie } })
  const { items } = (await response.json()) as { items: { name: string }[] }
  return items.map(({ name }) => name)
}

/** A running instance named `machine`, and the path of its serial console. */
async function runningInstance(url: string, cookie: string): Promise<string> {
  await post(url, cookie, '/v1/projects', { name: 'work', description: '' })
  await post(url, cookie, '/v1/instances?project=work', {
    name: 'machine',
    description: '',
    hostname: 'machine',
    ncpus: 1,
    memory: GiB,
  })
  await vi.waitFor(
    async () => {
      const path = '/v1/instances/machine?project=work'
      const response = await fetch(url + path, { headers: { cookie } })
      expect(await response.json()).toMatchObject({ run_state: 'running' })
    },
    { timeout: 120_000 },
  )
  return '/v1/instances/machine/serial-console/stream?project=work'
}

describe('the first start', () => {
  test('prints the URL and a password for the administrator, once', async () => {
    const data = join(temporaryDirectory(), 'data')
    const first = await startProcess(['--data', data], {})
    const password = /sign in to silo "main" as "admin" with the password (\S+) /.exec(
      first.output(),
    )?.[1]
    expect(await signIn(first.url, password)).toMatch(/^session=[0-9a-f]{40}$/)
    expect(first.output().split(password!)).toHaveLength(2)
    await first.end('SIGTERM')

    const second = await startProcess(['--data', data], {})
    expect(second.output()).toBe(`Steading is running at ${second.url}\n`)
    await signIn(second.url, password)
  })

  test('takes the password from the environment without printing it', async () => {
    const { url, output } = await startProcess(['--data', migratedDirectory()])
    await signIn(url, PASSWORD)
    expect(output()).toBe(`Steading is running at ${url}\n`)
  })

  test('warns of the risks of plain HTTP to other machines @long', async () => {
    const start = (...args: string[]) => startProcess(['--data', migratedDirectory(), ...args])
    const logOf = async (server: RunningServer) => (await server.end('SIGTERM')).stderr
    expect(await logOf(await start('--host', '0.0.0.0'))).toMatch(
      /^\S+ Passwords, sessions and data can be read on their way: plain HTTP is spoken on 0\.0\.0\.0\. Use --tls-port, or a proxy with TLS and --trust-proxy\.\n$/,
    )
    const proxied = await start('--host', '0.0.0.0', '--trust-proxy', '10.0.0.0/8')
    expect(await logOf(proxied)).toBe('')
    const tls = await start('--host', '0.0.0.0', '--tls-port', '0', '--zone', 'cloud.example')
    expect(tls.output()).toMatch(
      /^Steading is running at http:\/\/127\.0\.0\.1:\d+, and with TLS at https:\/\/main\.sys\.cloud\.example:\d+\n$/,
    )
    expect(await logOf(tls)).toBe('')
  })

  test('creates no user if it fails because of a busy port @long', async () => {
    const { url } = await startProcess(['--data', migratedDirectory()])
    const { port } = new URL(url)
    const data = temporaryDirectory()
    const { code, stdout, stderr } = await runToEnd(['--data', data, '--port', port])
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `steading: port ${port} on 127.0.0.1 is in use; stop what runs there, or choose another with --port\n`,
    })
    expect(existsSync(join(data, 'steading.db'))).toBe(false)
  })
})

describe('a data directory', () => {
  test('is refused to a second process', async () => {
    const data = migratedDirectory()
    const server = await startProcess(['--data', data])
    const { code, stdout, stderr } = await runToEnd(['--data', data, '--port', '0'])
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `steading: the data directory ${data} is in use by another process; stop that one, or choose another directory with --data\n`,
    })
    expect((await fetch(`${server.url}/v1/ping`)).status).toBe(200)
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)('keeps everything over %s', async (signal) => {
    const data = migratedDirectory()
    const first = await startProcess(['--data', data])
    const cookie = await signIn(first.url)
    await post(first.url, cookie, '/v1/projects', { name: 'kept', description: '' })
    const { code, stderr } = await first.end(signal)
    expect({ code, stderr }).toEqual({ code: signal === 'SIGTERM' ? 0 : null, stderr: '' })

    const second = await startProcess(['--data', data])
    expect(await projectNames(second.url, cookie)).toEqual(['kept'])
    await second.end('SIGTERM')
    const database = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    database.close()
  })

  test('is tidied at the start: a plan that was never started is removed, with its items', async () => {
    const data = migratedDirectory()
    const first = await startProcess(['--data', data])
    const cookie = await signIn(first.url)
    await post(first.url, cookie, '/v1/projects', { name: 'work', description: '' })
    const target = { type: 'matching', query: {} }
    const body = { action: 'delete', kind: 'project', target }
    const plans = [0, 1].map(() => post(first.url, cookie, '/x/v1/jobs', body))
    const [old, young] = await Promise.all(
      plans.map(async (plan) => ((await (await plan).json()) as { id: string }).id),
    )
    await first.end('SIGTERM')
    const database = new DatabaseSync(join(data, 'steading.db'))
    const before = new Date(Date.now() - JOB_PLAN_KEPT_MS - 1).toISOString()
    database.prepare('update job set time_created = ? where id = ?').run(before, old!)

    const second = await startProcess(['--data', data])
    const left = () => database.prepare('select job_id from job_item').all()
    await vi.waitFor(() => expect(left()).toEqual([{ job_id: young }]), { timeout: 120_000 })
    const statusOf = async (id: string) =>
      (await fetch(`${second.url}/x/v1/jobs/${id}`, { headers: { cookie } })).status
    expect([await statusOf(old!), await statusOf(young!)]).toEqual([404, 200])
    await second.end('SIGTERM')
    expect(database.prepare('select id from job').all()).toEqual([{ id: young }])
    database.close()
  })
})

describe('a failing start', () => {
  const failed = async (data: string) => {
    const { code, stdout, stderr } = await runToEnd(['--data', data, '--port', '0'], {
      STEADING_ADMIN_PASSWORD: PASSWORD,
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }

  test('on a database of a newer version is reported in one line', async () => {
    const data = migratedDirectory()
    const database = new DatabaseSync(join(data, 'steading.db'))
    database.exec("insert into kysely_migration values ('9999-later', '2099-01-01')")
    database.close()
    expect(await failed(data)).toBe(
      'steading: the database was written by a newer version of Steading, and it has the change ' +
        '"9999-later", which this one does not know; use that one\n',
    )
  })

  test('for a file in place of the volumes is reported in one line @long', async () => {
    const data = temporaryDirectory()
    writeFileSync(join(data, 'volumes'), '')
    expect(await failed(data)).toBe(
      `steading: cannot use ${join(data, 'volumes')}: there is a file in its place\n`,
    )
  })
})

test('the data directory is accessible to its owner only, even if it was open before @long', async () => {
  const data = temporaryDirectory()
  const first = await startProcess(['--data', data])
  await first.end('SIGTERM')
  const inside = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const name = join(path, entry.name)
      return entry.isDirectory() ? [name, ...inside(name)] : [name]
    })
  const modes = () =>
    new Set([data, ...inside(data)].map((path) => (statSync(path).mode & 0o777).toString(8)))
  expect(modes()).toEqual(new Set(['700', '600']))
  mkdirSync(join(data, 'volumes/some-disk'))
  writeFileSync(join(data, 'volumes/some-disk/000000'), '')
  for (const path of [data, ...inside(data)]) chmodSync(path, 0o755)
  const second = await startProcess(['--data', data])
  const cookie = await signIn(second.url)
  await post(second.url, cookie, '/v1/projects', { name: 'work', description: '' })
  expect(modes()).toEqual(new Set(['700', '600']))
  await second.end('SIGKILL')
})

// The host reads large bodies itself.
test.each([1000, 100_000])(
  'clients that disconnect midway through a body of %i bytes leave no trace in the log',
  async (length) => {
    const server = await startProcess(['--data', migratedDirectory()])
    const cookie = await signIn(server.url)
    const { hostname, port } = new URL(server.url)
    const abandon = () =>
      new Promise<void>((resolve) => {
        const head = [
          'POST /v1/projects HTTP/1.1',
          'host: a',
          `cookie: ${cookie}`,
          `content-length: ${length}`,
          'expect: 100-continue',
          '',
          '{',
        ]
        const socket = connect(Number(port), hostname, () => socket.write(head.join('\r\n')))
        socket.on('error', () => {})
        // The server waits for the rest.
        socket.once('data', () => socket.destroy())
        socket.once('close', () => resolve())
      })
    for (let times = 0; times < 20; times++) {
      await Promise.all(Array.from({ length: 10 }, abandon))
    }
    const { code, stderr } = await server.end('SIGTERM')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  },
)

describe('SIGTERM', () => {
  test('ends streams and sockets cleanly and exits', async () => {
    const { url, end } = await startProcess(['--data', migratedDirectory(), '--boot-ms', '0'])
    const cookie = await signIn(url)
    const path = await runningInstance(url, cookie)

    const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { cookie } })
    await new Promise((resolve) => socket.once('message', resolve))
    const socketClosed = new Promise<number>((resolve) => socket.once('close', resolve))
    const events = await fetch(`${url}/x/v1/events`, { headers: { cookie } })
    const reader = events.body!.getReader()
    await reader.read()
    // An open connection without a request.
    const { hostname, port } = new URL(url)
    const idle = connect(Number(port), hostname)
    idle.on('error', () => {})
    await new Promise((resolve) => idle.once('connect', resolve))

    const { code, signal } = await end('SIGTERM')
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(await socketClosed).toBe(1001)
    // A regular end of the stream, not a broken connection.
    while (!(await reader.read()).done);
  })

  test('with --drain first tells load balancers, and serves requests meanwhile @long', async () => {
    const { url, pid } = await startProcess(['--data', migratedDirectory(), '--drain', '3600'])
    const cookie = await signIn(url)
    process.kill(pid, 'SIGTERM')
    await vi.waitFor(
      async () => expect((await fetch(`${url}/x/v1/health`)).status).toBe(503),
      30_000,
    )
    expect(await (await fetch(`${url}/x/v1/health`)).json()).toEqual({
      live: true,
      ready: false,
      status: 'stopping',
    })
    expect((await fetch(`${url}/x/v1/health/live`)).status).toBe(200)
    expect((await fetch(`${url}/v1/me`, { headers: { cookie } })).status).toBe(200)
  })

  test('lets a running request finish and accepts no more', async () => {
    const { url, end } = await startProcess(['--data', migratedDirectory()])
    const body = JSON.stringify({ username: 'admin', password: PASSWORD })
    const login = request(`${url}/v1/login/main/local`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    login.flushHeaders()
    // The server has received the request's headers, and waits for its body.
    await once(login, 'continue')
    const ended = end('SIGTERM')
    await vi.waitFor(() => expect(fetch(`${url}/v1/ping`)).rejects.toThrow('fetch failed'), {
      timeout: 120_000,
    })
    login.end(body)
    const [response] = (await once(login, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(204)
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })

  test('does not wait for an unresponsive client', async () => {
    const { url, end } = await startProcess(['--data', migratedDirectory()])
    const { port } = new URL(url)
    // An incomplete request.
    const slow = request({
      port,
      path: '/v1/login/main/local',
      method: 'POST',
      headers: { 'content-length': 100, expect: '100-continue' },
    })
    slow.on('error', () => {})
    slow.flushHeaders()
    await once(slow, 'continue')
    // A shutdown that is cut off exits with 1.
    expect((await end('SIGTERM')).code).toBe(0)
  })
})

test('over HTTP', async () => {
  const { url } = await startProcess(['--data', migratedDirectory()])
  const cookie = await signIn(url)
  const html = { accept: 'text/html' }
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers, redirect: 'manual' })

  // All responses have the security headers.
  for (const path of ['/v1/ping', '/v1/me', '/login', '/login/main/local', '/assets/none']) {
    const { headers } = await get(path, html)
    expect(headers.get('content-security-policy'), path).toBe(consoleContentPolicy)
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('x-frame-options'), path).toBe('DENY')
    expect(headers.get('referrer-policy'), path).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
  }

  // Pages redirect users without a session to their login page, including the return path.
  const redirect = await get('/projects/a?b=c', html)
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    302,
    `/login/main/local?redirect_uri=${encodeURIComponent('/projects/a?b=c')}`,
  ])
  const others = consolePaths
    .filter((path) => !path.startsWith('/login'))
    .map((path) => path.replaceAll(/\$\w+/g, 'some-name'))
  for (const path of ['/device/verify', '/device/success', ...others]) {
    const { status, headers } = await get(path, html)
    expect([status, headers.get('location')]).toEqual([
      302,
      `/login/main/local?redirect_uri=${encodeURIComponent(path)}`,
    ])
    const served = await get(path, { ...html, cookie })
    expect(served.headers.get('content-type')).toContain('text/html')
  }
  // The return path stays on this host.
  const way = (uri: string) => `redirect_uri=${encodeURIComponent(uri)}`
  for (const path of ['/login', '/login/main/local', '/login/main/saml/corp']) {
    for (const uri of [
      '',
      'projects',
      'https://a.test/',
      '//a.test/',
      '/\\a.test',
      'x:y',
      '/a\nb',
    ]) {
      const refused = await get(`${path}?${way(uri)}`, html)
      expect([refused.status, await refused.json()], `${path} ${uri}`).toEqual([
        400,
        {
          request_id: refused.headers.get('x-request-id'),
          message: 'unable to parse query string: redirect_uri: not a relative URI',
        },
      ])
    }
    const { headers } = await get(`${path}?${way('/a?b=c#d')}`, html)
    if (path !== '/login') expect(headers.get('content-type')).toContain('text/html')
    else expect(headers.get('location')).toBe(`/login/main/local?${way('/a?b=c#d')}`)
  }
  const page = await get('/projects', { ...html, cookie })
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect((await get('/no-such-page', html)).headers.get('content-type')).toContain('text/html')
  expect((await get('/no-such-page')).status).toBe(404)

  // Large answers are compressed for clients that accept it; small ones and streams are not.
  const document = await raw(
    url,
    'GET /x/v1/openapi.json HTTP/1.1\r\nhost: a\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n',
  )
  const [head, ...body] = document.split('\r\n\r\n')
  expect(head).toMatch(/^content-encoding: gzip$/m)
  expect(head).toMatch(/^vary: accept-encoding$/m)
  const unpacked = gunzipSync(Buffer.from(body.join('\r\n\r\n'), 'latin1'))
  expect(JSON.parse(unpacked.toString())).toHaveProperty('openapi')
  // Caches need `Vary` even on answers that were too small to compress.
  for (const path of ['/v1/ping', '/x/v1/openapi.json', '/v1/me']) {
    for (const accepted of ['gzip', 'identity']) {
      const { headers } = await get(path, { 'accept-encoding': accepted })
      expect(headers.get('vary'), path).toBe('accept-encoding')
    }
  }
  expect((await get('/v1/ping')).headers.get('content-encoding')).toBeNull()
  // HEAD has the same headers as GET.
  const headersOf = async (method: string) => {
    const { headers } = await fetch(`${url}/v1/ping`, { method })
    const names = ['cache-control', 'content-type', 'vary', 'x-content-type-options']
    return names.map((name) => headers.get(name))
  }
  expect(await headersOf('HEAD')).toEqual(await headersOf('GET'))
  expect(await (await get('/x/v1/openapi.json')).json()).toHaveProperty('openapi')

  // API answers are not cached.
  for (const path of ['/v1/ping', '/v1/me', '/nothing', '/x/v1/openapi.json']) {
    expect((await get(path, { cookie })).headers.get('cache-control'), path).toBe('no-store')
  }

  // A host that is not a silo's has no login page.
  const noSilo = await raw(
    url,
    'GET /projects HTTP/1.1\r\nhost: nope.sys.x\r\naccept: text/html\r\nconnection: close\r\n\r\n',
  )
  expect(noSilo).toMatch(/^HTTP\/1.1 404 [\s\S]*not found: silo with name/)

  // Malformed requests get an answer.
  expect(await raw(url, 'GET /v1/ping HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*"request_id":/,
  )
  expect(await raw(url, 'GET /v1/ping HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*"request_id":/,
  )
  expect(await raw(url, 'nonsense\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*"request_id":.*not valid HTTP/,
  )
  const longPath = `/${'a'.repeat(20_000)}`
  expect(await raw(url, `GET ${longPath} HTTP/1.1\r\nhost: a\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 431 [\s\S]*"request_id":.*exceeded maximum size of 16384 bytes/,
  )
  // After a request that is still being answered.
  expect(await raw(url, 'GET /v1/ping HTTP/1.1\r\nhost: a\r\n\r\nnonsense\r\n\r\n')).toMatch(
    /HTTP\/1.1 400 [\s\S]*"request_id":.*not valid HTTP/,
  )
  expect((await get('/v1/ping')).status).toBe(200)
})

test('events arrive at once, and end with the client', async () => {
  const { url } = await startProcess(['--data', migratedDirectory()])
  const cookie = await signIn(url)
  const leaving = new AbortController()
  const events = await fetch(`${url}/x/v1/events`, {
    headers: { cookie, 'accept-encoding': 'gzip' },
    signal: leaving.signal,
  })
  expect(events.headers.get('content-encoding')).toBeNull()
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  // Sequential: each has to arrive before the next is there to push it out.
  for (let times = 0; times < 20; times++) {
    const name = `seen-${times}`
    await post(url, cookie, '/v1/projects', { name, description: '' })
    while (!text.includes(`"${name}"`)) text += (await reader.read()).value ?? ''
  }
  leaving.abort()
  await expect(reader.read()).rejects.toThrow('aborted')
})

describe('the serial console', () => {
  const upgrade = (path: string, headers: string[]) =>
    [`GET ${path} HTTP/1.1`, 'host: here:1', 'connection: upgrade', ...headers, '', ''].join('\r\n')
  const webSocket = [
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]

  test('transfers bytes in both directions over a WebSocket', async () => {
    const { url } = await startProcess(['--data', migratedDirectory(), '--boot-ms', '0'])
    const cookie = await signIn(url)
    const path = await runningInstance(url, cookie)
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}&most_recent=0`, {
      headers: { cookie },
    })
    onTestFinished(() => socket.close())
    let received = ''
    socket.on('message', (data: Buffer, isBinary) => {
      expect(isBinary).toBe(true)
      received += data.toString()
    })
    await new Promise((resolve) => socket.once('open', resolve))
    // Text frames are ignored.
    socket.send('as text')
    socket.send(Buffer.from('echo hello\r'))
    await vi.waitFor(() => expect(received).toContain('echo hello'), { timeout: 120_000 })
    expect(received).not.toContain('as text')

    // An incomplete upgrade gets an explanation.
    const plain = await fetch(url + path, { headers: { cookie } })
    expect([plain.status, await plain.json()]).toMatchObject([
      400,
      { message: 'expected connection upgrade' },
    ])
    const asked = ['upgrade: websocket', `cookie: ${cookie}`, 'connection: close']
    expect(await raw(url, upgrade(path, asked))).toMatch(/^HTTP\/1.1 400 /)
  })

  test('refuses clients without credentials, cross-site requests, and unknown instances', async () => {
    const { url } = await startProcess(['--data', migratedDirectory()])
    const cookie = `cookie: ${await signIn(url)}`
    const path = '/v1/instances/none/serial-console/stream?project=none'
    const answer = async (target: string, ...headers: string[]) => {
      const text = await raw(url, upgrade(target, [...webSocket, 'connection: close', ...headers]))
      return Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1])
    }
    expect(await answer(path)).toBe(401)
    expect(await answer(path, cookie)).toBe(404)
    expect(await answer(path, cookie, 'origin: http://here:2')).toBe(403)
    expect(await answer(path, cookie, 'origin: null')).toBe(403)
    expect(await answer(path, cookie, 'origin: http://here:1')).toBe(404)
    // Only trusted proxies may name the host of a request.
    expect(await answer(path, cookie, 'origin: https://out', 'x-forwarded-host: out')).toBe(403)
    const misled = upgrade(path, [...webSocket, 'connection: close', cookie])
    expect(await raw(url, misled.replace('here:1', 'a:b@c'))).toMatch(/^HTTP\/1.1 400 /)
    // Other routes ignore an upgrade.
    expect(await answer('/v1/ping')).toBe(200)
  })
})

test('a proxy on this machine comes by a Unix socket, and names the client', async () => {
  const path = join(temporaryDirectory(), 'proxy')
  await startProcess(['--data', migratedDirectory(), '--proxy-socket', path])
  expect(statSync(path).mode & 0o777).toBe(0o660)
  const ask = request({
    socketPath: path,
    method: 'POST',
    path: '/v1/login/main/local',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'cloud.example',
      origin: 'https://cloud.example',
    },
  })
  ask.end(JSON.stringify({ username: 'admin', password: PASSWORD }))
  const [answer] = (await once(ask, 'response')) as [IncomingMessage]
  answer.resume()
  expect(answer.statusCode).toBe(204)
  expect(String(answer.headers['set-cookie'])).toContain('Secure')
})

/** Permissions of clients without credentials, cross-site pages and proxies. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { PUBLIC_BODY_MAX } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import {
  PASSWORD,
  type RunningServer,
  signIn,
  startProcess,
  migratedDirectory,
} from './support/process.ts'

const MEBIBYTE = 1024 * 1024

/** Memory of a process in bytes. */
function memory({ pid }: RunningServer): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))!
  return Number(kilobytes) * 1024
}

interface Send {
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
  from?: string
}

/** Sends one request over a new connection, with exactly these headers. */
async function send(
  url: string,
  { method = 'POST', path = '/v1/projects', headers = {}, body, from }: Send,
) {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from })
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    connection: 'close',
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  }).flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n'))
  let text = ''
  socket.setEncoding('latin1').on('data', (data: string) => (text += data))
  await once(socket, 'close')
  const [head = '', rest = ''] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]), head, body: rest }
}

let names = 0
const project = () => JSON.stringify({ name: `project-${names++}`, description: '' })

test('bodies without credentials are not held in memory', async () => {
  const server = await startProcess(['--data', migratedDirectory()])
  const { hostname, port } = new URL(server.url)
  await signIn(server.url)
  const before = memory(server)
  const size = 8 * MEBIBYTE
  const sockets: Socket[] = []
  const paths = [
    '/v1/disks/a/bulk-write',
    '/x/v1/disks/a/contents',
    '/v1/login/main/local',
    '/v1/projects',
  ]
  /** Sends all but the last byte, as far as the server accepts it. */
  const hold = (index: number) =>
    new Promise<void>((resolve) => {
      const path = paths[index % paths.length]!
      const method = path.endsWith('contents') ? 'PUT' : 'POST'
      const chunked = index % 3 === 0
      // The limit without credentials, or much more.
      const length = index % 6 === 1 ? size : PUBLIC_BODY_MAX
      const framing = chunked ? 'transfer-encoding: chunked' : `content-length: ${length}`
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${method} ${path}?offset=0 HTTP/1.1\r\nhost: a\r\n${framing}\r\n\r\n`)
        if (chunked) socket.write(`${length.toString(16)}\r\n`)
        socket.write(Buffer.alloc(length - 1, 32), () => resolve())
      })
      sockets.push(socket)
      socket.resume()
      socket.on('error', () => resolve())
      socket.once('close', () => resolve())
    })
  const held = Promise.all(Array.from({ length: 150 }, (_, index) => hold(index)))
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, memory(server))), 20)
  await held
  clearInterval(watching)
  // Users can still sign in.
  await signIn(server.url)
  for (const socket of sockets) socket.destroy()
  console.log(`150 bodies of strangers took ${Math.round((most - before) / MEBIBYTE)} MiB`)
  expect(most - before).toBeLessThan(50 * MEBIBYTE)
  expect((await fetch(`${server.url}/v1/ping`)).status).toBe(200)
  expect((await server.end('SIGTERM')).stderr).toBe('')
})

test('an error in a small body precedes the 401, and a large body is not read', async () => {
  const { url } = await startProcess(['--data', migratedDirectory()])
  expect((await send(url, { body: '{' })).status).toBe(400)
  expect((await send(url, { body: project() })).status).toBe(401)
  expect((await send(url, { body: ' '.repeat(PUBLIC_BODY_MAX + 1) })).status).toBe(401)
  const login = await send(url, {
    path: '/v1/login/main/local',
    body: ' '.repeat(PUBLIC_BODY_MAX + 1),
  })
  expect([login.status, login.body]).toEqual([
    400,
    expect.stringContaining(`request body exceeded maximum size of ${PUBLIC_BODY_MAX} bytes`),
  ])
})

describe('cross-site pages', () => {
  test('change nothing, open nothing, and sign no user in', async () => {
    const { url } = await startProcess(['--data', migratedDirectory()])
    const { host } = new URL(url)
    const cookie = await signIn(url)
    const create = async (headers: Record<string, string>) =>
      (await send(url, { headers: { cookie, ...headers }, body: project() })).status
    // Over secure connections, browsers send the origin of a request.
    expect(await create({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await create({ 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await create({ 'sec-fetch-site': 'same-origin', origin: url })).toBe(201)
    expect(await create({ 'sec-fetch-site': 'none' })).toBe(201)
    expect(await create({ 'sec-fetch-site': 'none', origin: 'http://evil.example' })).toBe(403)
    // Over plain HTTP they do not.
    expect(await create({ origin: 'http://evil.example' })).toBe(403)
    expect(await create({ origin: `http://${host}.evil.example` })).toBe(403)
    expect(await create({ origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await create({ origin: 'null' })).toBe(403)
    expect(await create({ referer: 'http://evil.example/page' })).toBe(403)
    expect(await create({ origin: url })).toBe(201)
    expect(await create({ referer: `${url}/projects` })).toBe(201)
    expect(await create({ origin: 'http://evil.example', referer: `${url}/projects` })).toBe(403)
    // They cannot claim to be behind a proxy.
    expect(
      await create({ origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }),
    ).toBe(403)
    // Forms cannot send JSON.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect(await create({ 'content-type': type })).toBe(400)
    }
    // A client other than a browser sends none of these headers.
    expect(await create({})).toBe(201)
    const stop = { path: '/v1/logout', headers: { cookie, origin: 'http://evil.example' } }
    expect((await send(url, stop)).status).toBe(403)

    const events = { method: 'GET', path: '/x/v1/events' }
    expect(
      (await send(url, { ...events, headers: { cookie, origin: 'http://evil.example' } })).status,
    ).toBe(403)
    expect((await send(url, { method: 'GET', headers: { cookie, origin: url } })).status).toBe(200)

    const body = JSON.stringify({ username: 'admin', password: PASSWORD })
    const login = { path: '/v1/login/main/local', body }
    expect((await send(url, { ...login, headers: { origin: 'http://evil.example' } })).status).toBe(
      403,
    )
    expect((await send(url, { ...login, headers: { origin: url } })).status).toBe(204)
    // Without a cookie there is nothing to steal.
    expect(
      (await send(url, { headers: { origin: 'http://evil.example' }, body: project() })).status,
    ).toBe(401)
  })
})

describe('reverse proxies', () => {
  const forwarded = {
    host: 'inner',
    'x-forwarded-for': '203.0.113.9, 127.0.0.3',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'cloud.example',
  }
  const login = {
    path: '/v1/login/main/local',
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  }

  test('determine client and URL if they are trusted', async () => {
    const { url } = await startProcess([
      '--data',
      migratedDirectory(),
      '--trust-proxy',
      '127.0.0.2, 127.0.0.3/32,::1',
    ])
    const through = (headers: Record<string, string>, from = '127.0.0.2') =>
      send(url, { ...login, from, headers: { ...forwarded, ...headers } })
    const safe = await through({ origin: 'https://cloud.example' })
    expect(safe.status).toBe(204)
    expect(safe.head).toMatch(/^set-cookie: session=[0-9a-f]{40};.* Secure;/im)
    expect((await through({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await through({ 'x-forwarded-proto': 'http' })).head).not.toContain('Secure')
    // A connection from another address is from the client itself, over plain HTTP.
    const direct = await through({ origin: 'http://inner' }, '127.0.0.1')
    expect(direct.status).toBe(204)
    expect(direct.head).not.toContain('Secure')
    expect((await through({ origin: 'https://cloud.example' }, '127.0.0.1')).status).toBe(403)
  })

  test.each(['nonsense', '10.0.0.0/33', '10.0.0/8', '::1/129', '', '127.0.0.1/', '1.2.3.4,'])(
    'are not trusted by %j',
    async (networks) => {
      const start = startProcess(['--data', migratedDirectory(), `--trust-proxy=${networks}`])
      await expect(start).rejects.toThrow(/--trust-proxy (must be networks like|needs a value)/)
    },
  )
})

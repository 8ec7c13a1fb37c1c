/** The host over TLS: the choice of certificates, and that everything works over it. */
import { PASSWORD_MIN } from '@steading/api/rules'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Made, makeCertificate } from '../../../api/test/support/certificates.ts'
import { startServer } from '../../../node/src/server.ts'
import { defaultConfig } from '../../../node/src/config.ts'
import type { Caller } from '../support/caller.ts'
import {
  ADMIN_PASSWORD,
  ownDatabase,
  startTestServer,
  type TestServer,
} from '../support/harness.ts'
import { reaches, smallInstance, until } from '../support/things.ts'

const ZONE = 'cloud.example'
const hostOf = (silo: string) => `${silo}.sys.${ZONE}`
const settings = { tlsPort: 0, zones: [ZONE] }

let server: TestServer
/** The authority trusted by the clients of these tests. */
let root: Made
beforeAll(async () => {
  root = await makeCertificate({ commonName: 'root', ca: true })
  server = await startTestServer(settings)
  await server.admin.call('certificate_create', { body: await body('first', 'main') })
})
afterAll(() => server.close())

async function body(name: string, silo: string, wanted = {}) {
  const { cert, key } = await makeCertificate({ names: [hostOf(silo)], issuer: root, ...wanted })
  return { name, description: '', service: 'external_api' as const, cert, key }
}

/** A silo with an admin. */
async function siloWithAdmin(name: string): Promise<Caller> {
  const id = await server.createSilo(name)
  return (await server.createUser(`admin-${name}`, { silo: 'admin' }, id)).caller
}

/** Connects as a client that trusts the root, and checks the name. */
async function shakeHands(
  silo: string | undefined,
  options: ConnectionOptions = {},
  to = server,
): Promise<TLSSocket> {
  const servername = silo === undefined ? '' : hostOf(silo)
  const { port } = to.host.tls!
  const socket = connect({ host: '127.0.0.1', port, servername, ca: root.own, ...options })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  return socket
}

/** The certificate that a new connection gets. */
async function servedFor(silo: string, to = server): Promise<string> {
  const socket = await shakeHands(silo, { rejectUnauthorized: false }, to)
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return raw.toString('base64')
}
const own = ({ cert }: { cert: string }) => cert.split('-----')[2]!.replaceAll('\n', '')

/** A call over TLS, as a browser makes it. */
async function ask(
  path: string,
  { silo = 'main', method = 'GET', headers = {}, text = '' } = {},
): Promise<{ response: IncomingMessage; text: string }> {
  const { port } = server.host.tls!
  const agent = new Agent({ ca: root.own, servername: hostOf(silo) })
  onTestFinished(() => agent.destroy())
  const host = `${hostOf(silo)}:${port}`
  const call = request({ port, path, method, agent, headers: { host, ...headers } }).end(text)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  let answer = ''
  for await (const chunk of response.setEncoding('utf8')) answer += chunk
  return { response, text: answer }
}

test('each silo has its own certificate', async () => {
  for (const silo of ['red', 'blue']) {
    const given = await body('tls', silo)
    await (await siloWithAdmin(silo)).call('certificate_create', { body: given })
    const socket = await shakeHands(silo)
    expect(socket.authorized).toBe(true)
    expect(socket.alpnProtocol).toBe(false)
    expect(await servedFor(silo)).toBe(own(given))
    expect(await servedFor(silo.toUpperCase())).toBe(own(given))
  }
})

test.each([
  ['no host', undefined],
  ['an unknown silo', 'nobody'],
  ['a silo without a certificate', 'bare'],
  ['a host of another zone', `main.sys.elsewhere.example`],
])('a client that asks for %s gets an alert', async (_, silo) => {
  if (silo === 'bare') await server.createSilo('bare')
  const name = silo?.includes('.') ? { servername: silo } : {}
  await expect(shakeHands(silo, name)).rejects.toMatchObject({
    code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  })
})

test("a certificate of another silo is not served, even with this one's name", async () => {
  const given = await body('greedy', 'greedy', { names: [hostOf('greedy'), hostOf('victim')] })
  await (await siloWithAdmin('greedy')).call('certificate_create', { body: given })
  await server.createSilo('victim')
  expect(await servedFor('greedy')).toBe(own(given))
  await expect(shakeHands('victim')).rejects.toThrow(/handshake failure/i)
})

test('serves the newest valid certificate, and keeps open connections', async () => {
  const admin = await siloWithAdmin('moving')
  const old = await body('old', 'moving')
  await admin.call('certificate_create', { body: old })
  const open = await shakeHands('moving')

  const replacement = await body('new', 'moving')
  await admin.call('certificate_create', { body: replacement })
  expect(await servedFor('moving')).toBe(own(replacement))
  await admin.call('certificate_delete', { params: { certificate: 'new' } })
  expect(await servedFor('moving')).toBe(own(old))

  // The connection keeps the certificate it began with.
  open.write('GET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n')
  const [answer] = (await once(open, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200 OK/)

  await admin.call('certificate_delete', { params: { certificate: 'old' } })
  await expect(servedFor('moving')).rejects.toThrow(/handshake failure/i)
})

test('serves an expired certificate only if there is no other', async () => {
  const admin = await siloWithAdmin('late')
  const valid = await body('valid', 'late')
  const over = await body('over', 'late')
  const { id } = await admin.call('certificate_create', { body: over })
  // As if the time had passed since then.
  await server.db
    .updateTable('certificate')
    .set({ time_ends: '2026-01-01T00:00:00.000Z' })
    .where('id', '=', id)
    .execute()
  expect(await servedFor('late')).toBe(own(over))
  await admin.call('certificate_create', { body: valid })
  expect(await servedFor('late')).toBe(own(valid))
})

test('skips a certificate that cannot be served', async () => {
  const admin = await siloWithAdmin('hurt')
  const good = await body('good', 'hurt')
  await admin.call('certificate_create', { body: good })
  const { id } = await admin.call('certificate_create', { body: await body('bad', 'hurt') })
  const broken = server.db.updateTable('certificate').where('id', '=', id)
  await broken.set({ key: 'broken' }).execute()
  expect(await servedFor('hurt')).toBe(own(good))
  await admin.call('certificate_delete', { params: { certificate: 'good' } })
  await expect(servedFor('hurt')).rejects.toThrow(/handshake failure/i)
  expect((await ask('/v1/ping')).response.statusCode).toBe(200)
})

test('refuses old versions of TLS and other protocols', async () => {
  await expect(
    shakeHands('main', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' }),
  ).rejects.toThrow(/alert protocol version/i)
  expect((await shakeHands('main', { maxVersion: 'TLSv1.2' })).getProtocol()).toBe('TLSv1.2')
  await expect(shakeHands('main', { ALPNProtocols: ['h2'] })).rejects.toThrow(
    /no application protocol/i,
  )
  const both = await shakeHands('main', { ALPNProtocols: ['h2', 'http/1.1'] })
  expect(both.alpnProtocol).toBe('http/1.1')
})

test('cookies are only for TLS, and browsers are told to keep using it', async () => {
  const { response } = await ask('/v1/login/main/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  expect(response.statusCode).toBe(204)
  for (const cookie of response.headers['set-cookie']!) expect(cookie).toContain('; Secure;')
  expect(response.headers['strict-transport-security']).toBe('max-age=15552000')
  // The page of the console too; plain HTTP on this machine has no such header.
  const page = await ask('/login/main/local', { headers: { accept: 'text/html' } })
  expect(page.response.headers['strict-transport-security']).toBe('max-age=15552000')
  const plain = await fetch(`${server.url}/v1/ping`)
  expect(plain.headers.has('strict-transport-security')).toBe(false)
})

test('accepts calls of its own origin, and refuses others', async () => {
  const { port } = server.host.tls!
  const call = (origin: string) =>
    ask('/v1/me', { headers: { ...server.admin.credentials, origin } })
  expect((await call(`https://${hostOf('main')}:${port}`)).response.statusCode).toBe(200)
  expect((await call(`https://${hostOf('red')}:${port}`)).response.statusCode).toBe(403)
})

test('streams consoles and events', async () => {
  await server.admin.call('project_create', { body: { name: 'work', description: '' } })
  const { id } = await server.admin.call('instance_create', {
    query: { project: 'work' },
    body: smallInstance('box', { start: true }),
  })
  await reaches(server.admin, id, 'running')
  const { port } = server.host.tls!
  const at = { port, host: '127.0.0.1', servername: hostOf('main'), ca: root.own }
  const headers = { ...server.admin.credentials, host: `${hostOf('main')}:${port}` }

  const stream = `wss://127.0.0.1:${port}/v1/instances/${id}/serial-console/stream`
  const tls = { servername: hostOf('main'), ca: root.own } as object
  const socket = new WebSocket(stream, { ...tls, headers })
  onTestFinished(() => socket.terminate())
  const [output] = (await once(socket, 'message')) as [Buffer]
  expect(output.length).toBeGreaterThan(0)

  const events = request({ ...at, path: '/x/v1/events', headers }).end()
  onTestFinished(() => void events.destroy())
  const [response] = (await once(events, 'response')) as [IncomingMessage]
  expect(response.headers['content-type']).toContain('text/event-stream')
  let heard = ''
  response.setEncoding('utf8').on('data', (text: string) => (heard += text))
  await server.admin.call('instance_stop', { params: { instance: id } })
  await until(
    async () => heard,
    (text) => expect(text).toContain(id),
  )
})

test('silent connections keep nobody out, and end with the server', async () => {
  const { drop, ...database } = await ownDatabase()
  onTestFinished(drop)
  const other = await startServer({
    ...defaultConfig(),
    ...settings,
    ...database,
    port: 0,
    adminPassword: ADMIN_PASSWORD,
    passwordCost: { memoryKiB: 8, passes: 1 },
    passwordMin: PASSWORD_MIN,
  })
  const silent = Array.from({ length: 50 }, () => connectPlain(other.tls!.port, '127.0.0.1'))
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  // Half a handshake record too.
  silent[0]!.write(Buffer.from([22, 3, 1, 2, 0, 1]))
  // A client for which there is no certificate still gets an answer.
  const attempt = connect({ port: other.tls!.port, host: '127.0.0.1', servername: hostOf('main') })
  const [error] = (await once(attempt, 'error')) as [Error]
  expect(error.message).toMatch(/handshake failure/i)
  const ended = silent.map((socket) => once(socket.resume(), 'close'))
  for (const socket of silent) socket.on('error', () => {})
  await other.close()
  await Promise.all(ended)
})

test('limits plain HTTP to this machine once TLS is enabled', async () => {
  const { drop, ...database } = await ownDatabase()
  onTestFinished(drop)
  const other = await startServer({
    ...defaultConfig(),
    ...settings,
    ...database,
    host: '0.0.0.0',
    port: 0,
    adminPassword: ADMIN_PASSWORD,
    passwordCost: { memoryKiB: 8, passes: 1 },
    passwordMin: PASSWORD_MIN,
  })
  onTestFinished(() => other.close())
  expect(other.url).toBe(`http://127.0.0.1:${other.port}`)
  expect(other.tls!.url).toBe(`https://${hostOf('main')}:${other.tls!.port}`)
  // Another address of this machine.
  const refused = connectPlain(other.port, '127.0.0.2')
  const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException]
  expect(error.code).toBe('ECONNREFUSED')
  const open = connectPlain(other.tls!.port, '127.0.0.2')
  await once(open, 'connect')
  open.destroy()
})

test.runIf(inject('dialect') === 'postgres')(
  'a certificate that one server takes is served by the other',
  async () => {
    const { databaseUrl, data } = server
    const other = await startTestServer({ ...settings, databaseUrl, data })
    onTestFinished(() => other.close())
    const admin = await siloWithAdmin('shared')
    const given = await body('tls', 'shared')
    await admin.call('certificate_create', { body: given })
    expect(await servedFor('shared', other)).toBe(own(given))
    const renewed = await body('renewed', 'shared')
    await admin.call('certificate_create', { body: renewed })
    expect(await servedFor('shared', other)).toBe(own(renewed))
  },
)

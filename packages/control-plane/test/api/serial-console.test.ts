/** Control plane specification 6.7: history and stream of the serial console. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { reaches, smallInstance } from '../support/things.ts'

let server: TestServer
let admin: Caller
let id: string
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const created = await admin.call('instance_create', {
    query,
    body: smallInstance('terminal', { start: true }),
  })
  id = created.id
  await reaches(admin, id, 'running')
})
afterAll(() => server.close())

const text = (data: number[]) => new TextDecoder().decode(Uint8Array.from(data))
const history = (values: object) =>
  admin.call('instance_serial_console', { params: { instance: id }, query: values })

/** A viewer that collects what it is sent. */
function view(caller: Caller, search = '') {
  const url = `${server.url.replace('http', 'ws')}/v1/instances/${id}/serial-console/stream${search}`
  const socket = new WebSocket(url, { headers: { cookie: caller.cookie ?? '' } })
  let seen = ''
  socket.on('message', (data: Buffer, binary) => {
    if (binary) seen += data.toString()
  })
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_, response) => reject(new Error(`${response.statusCode}`)))
    socket.once('error', reject)
  })
  return { socket, opened, seen: () => seen }
}

test('the history starts with the boot log and is cut as asked', async () => {
  const whole = await history({ from_start: 0 })
  expect(text(whole.data)).toContain('reached target multi-user')
  expect(whole.last_byte_offset).toBe(whole.data.length)
  const part = await history({ from_start: 10, max_bytes: 5 })
  expect(part).toEqual({ data: whole.data.slice(10, 15), last_byte_offset: 15 })
  const end = await history({ most_recent: 7 })
  expect(end).toEqual({ data: whole.data.slice(-7), last_byte_offset: whole.data.length })
})

test.each([{}, { from_start: 0, most_recent: 1 }])('the history refuses %j', async (values) => {
  const refusal = await admin.refusal('instance_serial_console', {
    params: { instance: id },
    query: values,
  })
  expect(refusal.status).toBe(400)
})

test('two viewers see what one of them types, and the history keeps it', async () => {
  const [typist, watcher] = [view(admin), view(admin, '?most_recent=0')]
  await Promise.all([typist.opened, watcher.opened])
  typist.socket.send(Buffer.from('hello there\r'))
  await expect.poll(watcher.seen).toContain('hello there\r\n')
  await expect.poll(typist.seen).toContain('hello there\r\n')
  expect(typist.seen()).toContain('multi-user')
  expect(watcher.seen()).not.toContain('multi-user')
  expect(text((await history({ most_recent: 200 })).data)).toContain('hello there')
  typist.socket.close()
  watcher.socket.close()
})

test('keys are echoed as a terminal does, and the prompt cannot be deleted', async () => {
  const viewer = view(admin, '?most_recent=0')
  await viewer.opened
  viewer.socket.send(Buffer.from('\x7f\x0bab\x7f\x7f\x7f\x7f\x7fé\x03'))
  await expect.poll(viewer.seen).toBe('^Kab\b \b\b \b\b \b\b \bé^C\r\nterminal:~# ')
  viewer.socket.close()
})

test('reading needs less than typing', async () => {
  const project = await admin.call('project_view', { params: { project: 'work' } })
  const { caller } = await server.createUser('reader', { projects: { [project.id]: 'viewer' } })
  const read = await caller.call('instance_serial_console', {
    params: { instance: id },
    query: { from_start: 0 },
  })
  expect(read.data.length).toBeGreaterThan(0)
  await expect(view(caller).opened).rejects.toThrow('403')
  await expect(view(server.anonymous).opened).rejects.toThrow('401')
})

test('a path that is no text is refused before a socket is opened', async () => {
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/v1/instances/%ff/serial-console/stream`,
    { headers: { cookie: admin.cookie! } },
  )
  const refused = new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode!))
  })
  expect(await refused).toBe(400)
})

test('without a machine there is no console', async () => {
  const { id: off } = await admin.call('instance_create', { query, body: smallInstance('off') })
  await reaches(admin, off, 'stopped')
  const refusal = await admin.refusal('instance_serial_console', {
    params: { instance: off },
    query: { from_start: 0 },
  })
  expect(refusal.message).toBe('instance is stopped and has no active serial console server')
})

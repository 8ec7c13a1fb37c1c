/** The screens of instances: over a WebSocket, and as pictures. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import {
  CONSOLES_MAX,
  consoleEndings,
  DISPLAY_WINDOW,
  displayEndings,
  notWithEngine,
} from '@steading/api/rules'
import { DisplayUnavailable, type DisplayStream } from '@steading/control-plane/ports'
import { simulatedEngine } from '@steading/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { memoryBlockStore } from '../../../src/engines/volumes/memory.ts'
import { showDisplay } from '../../../src/resources/compute/instances/show-display.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  ByteQueue,
  FIRST_COLOUR,
  keyEvent,
  type RfbServer,
  shakeHands,
  startRfbServer,
  updateRequest,
} from '../../support/rfb.ts'
import { reaches, smallInstance, until } from '../../support/things.ts'

const size = { width: 512, height: 512 }
const query = { project: 'work' }
const ENTER = 0xff_0d
/** After which a session expires. Milliseconds. */
const IDLE_MS = 3_600_000
/** The smallest PNG: one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let server: TestServer
let admin: Caller
let id: string
let screen: RfbServer
/** The machine whose screen does not answer. */
let silent: string | undefined

const openScreen = async (machineId: string): Promise<DisplayStream> => {
  if (machineId === silent) throw new DisplayUnavailable('the machine does not answer')
  const socket = connect(screen.port, '127.0.0.1')
  await once(socket, 'connect')
  return Duplex.toWeb(socket) as DisplayStream
}

beforeAll(async () => {
  screen = await startRfbServer(size)
  const simulated = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  server = await startTestServer({ sessionIdleMs: IDLE_MS }, async () => ({
    ...simulated,
    open: (parts) => ({
      ...simulated.open(parts),
      displays: {
        open: openScreen,
        async screenshot(machineId) {
          if (machineId === silent) throw new DisplayUnavailable('the machine does not answer')
          return Uint8Array.from(picture)
        },
      },
    }),
  }))
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const body = smallInstance('desktop', { start: true })
  id = (await admin.call('instance_create', { query, body })).id
  await reaches(admin, id, 'running')
})
afterAll(async () => {
  await server.close()
  await screen.close()
})
beforeEach(() => {
  silent = undefined
})

function watch(caller: Caller, instance = id, headers: Record<string, string> = {}) {
  const url = `${server.url.replace('http', 'ws')}/x/v1/instances/${instance}/display`
  const socket = new WebSocket(url, { headers: { ...caller.credentials, ...headers } })
  const input = new ByteQueue()
  socket.on('message', (data: Buffer) => input.push(data))
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_, { statusCode }) => reject(new Error(`${statusCode}`)))
    socket.once('error', reject)
  })
  const closed = new Promise<[number, string]>((resolve) => {
    socket.once('close', (code, reason) => resolve([code, reason.toString()]))
  })
  onTestFinished(() => socket.terminate())
  const send = (data: Buffer) => socket.send(data)
  return { socket, input, opened, closed, send }
}
async function shown(caller: Caller) {
  const viewer = watch(caller)
  await viewer.opened
  const found = await shakeHands(viewer.input, viewer.send)
  return { ...viewer, found }
}
const project = () => admin.call('project_view', { params: { project: 'work' } })
const collaborator = async (name: string) =>
  server.createUser(name, { projects: { [(await project()).id]: 'collaborator' } })

test('the bytes of RFB pass in both directions', async () => {
  const viewer = await shown(admin)
  expect(viewer.found).toEqual({ ...size, name: 'mill' })
  viewer.send(updateRequest(size.width, size.height))
  const header = await viewer.input.take(16)
  expect(header.readUInt16BE(8)).toBe(size.width)
  const pixels = await viewer.input.take(size.width * size.height * 4)
  expect([...pixels.subarray(-4)]).toEqual(FIRST_COLOUR)
  viewer.send(keyEvent(ENTER))
  await expect.poll(() => screen.keys).toContain(ENTER)
})

test('the screen is left when its viewer leaves, and ends with the machine', async () => {
  await expect.poll(screen.clients).toBe(0)
  const viewer = await shown(admin)
  expect(screen.clients()).toBe(1)
  viewer.socket.close()
  await expect.poll(screen.clients).toBe(0)
  const { closed } = await shown(admin)
  screen.hangUp()
  expect(await closed).toEqual([1000, displayEndings.ended])
})

test('a picture is PNG, and readers may see it', async () => {
  const reader = await server.createUser('reader', {
    projects: { [(await project()).id]: 'viewer' },
  })
  const url = `${server.url}/x/v1/instances/${id}/screenshot`
  const answer = await fetch(url, { headers: reader.caller.credentials })
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('cache-control')).toBe('no-cache, no-store, no-transform')
  expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
  await expect(watch(reader.caller).opened).rejects.toThrow('403')
  await expect(watch(server.anonymous).opened).rejects.toThrow('401')
  const stranger = await server.createUser('stranger')
  await expect(watch(stranger.caller).opened).rejects.toThrow('404')
  const refusal = await stranger.caller.refusal('instance_screenshot', { params: { instance: id } })
  expect(refusal.status).toBe(404)
})

test('pages of other sites do not get the screen', async () => {
  const evil = { origin: 'https://evil.example' }
  await expect(watch(admin, id, evil).opened).rejects.toThrow('403')
})

test('a machine without a screen at present is unavailable', async () => {
  const row = await server.db
    .selectFrom('instance')
    .select('vm_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  silent = row.vm_id!
  await expect(watch(admin).opened).rejects.toThrow('503')
  expect(await admin.refusal('instance_screenshot', { params: { instance: id } })).toMatchObject({
    status: 503,
    message: 'the machine does not answer',
  })
})

test('without a machine there is no screen', async () => {
  const body = smallInstance('off')
  const { id: off } = await admin.call('instance_create', { query, body })
  await reaches(admin, off, 'stopped')
  const args = { params: { instance: off } }
  expect((await admin.refusal('instance_screenshot', args)).message).toBe(
    'instance is stopped and has no screen',
  )
  await expect(watch(admin, off).opened).rejects.toThrow('400')
})

test('an engine without screens says so', async () => {
  const plain = await startTestServer()
  onTestFinished(() => plain.close())
  expect((await plain.admin.call('capabilities_view')).display).toBe(false)
  expect((await admin.call('capabilities_view')).display).toBe(true)
  await plain.admin.call('project_create', { body: { name: 'work', description: '' } })
  const body = smallInstance('plain')
  const made = await plain.admin.call('instance_create', { query, body })
  const args = { params: { instance: made.id } }
  expect(await plain.admin.refusal('instance_screenshot', args)).toMatchObject({
    status: 501,
    message: notWithEngine('displays', 'simulated'),
  })
})

describe('an open screen ends', () => {
  test('when its user signs out, and takes no more keys', async () => {
    const { caller } = await collaborator('leaver')
    const { send, closed } = await shown(caller)
    await caller.call('logout')
    send(keyEvent(0x41))
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
    expect(screen.keys).not.toContain(0x41)
    await expect.poll(screen.clients).toBe(0)
  })

  test('when its session has ended, even if nothing is typed', async () => {
    const { id: userId, caller } = await collaborator('quiet')
    const { closed } = await shown(caller)
    await server.db.deleteFrom('console_session').where('user_id', '=', userId).execute()
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
  })

  test('when its user loses the project', async () => {
    const { caller } = await collaborator('demoted')
    const { send, closed } = await shown(caller)
    await admin.call('project_policy_update', {
      params: { project: 'work' },
      body: { role_assignments: [] },
    })
    send(keyEvent(0x42))
    expect(await closed).toEqual([1008, consoleEndings.forbidden])
    expect(screen.keys).not.toContain(0x42)
  })
})

describe('the session of a viewer', () => {
  const ageOf = (userId: string) =>
    server.db
      .selectFrom('console_session')
      .select('time_last_used')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  const setAge = (userId: string, ms: number) =>
    server.db
      .updateTable('console_session')
      .set({ time_last_used: new Date(Date.now() - ms).toISOString() })
      .where('user_id', '=', userId)
      .execute()
  const pictureBytes = 16 + size.width * size.height * 4

  test('expires although it asks for pictures', async () => {
    const { id: userId, caller } = await collaborator('idle')
    const { send, input, closed } = await shown(caller)
    let over = false
    void closed.then(() => (over = true))
    // It is read every second, and asked for pictures all the time.
    await setAge(userId, IDLE_MS - 2_000)
    while (!over) {
      send(updateRequest(size.width, size.height))
      await Promise.race([closed, input.take(pictureBytes)])
    }
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
  })

  test('is kept by keys', async () => {
    const { id: userId, caller } = await collaborator('busy')
    const { send } = await shown(caller)
    await setAge(userId, 600_000)
    const { time_last_used: before } = await ageOf(userId)
    await until(
      async () => {
        send(keyEvent(ENTER))
        return ageOf(userId)
      },
      ({ time_last_used }) => expect(time_last_used).not.toBe(before),
    )
  })
})

test('screens count among the consoles of a user', async () => {
  const { caller } = await server.createUser('greedy', { silo: 'admin' })
  const viewers = Array.from({ length: CONSOLES_MAX }, () => watch(caller))
  await Promise.all(viewers.map(({ opened }) => opened))
  await expect(watch(caller).opened).rejects.toThrow('429')
})

describe('a viewer that does not keep up', () => {
  test('stops the machine from sending, and goes on when it reads again', async () => {
    const viewer = await shown(admin)
    viewer.socket.pause()
    const before = screen.sent()
    // More than the host keeps for a client.
    const pictures = 24
    const each = 16 + size.width * size.height * 4
    for (let count = 0; count < pictures; count++) viewer.send(updateRequest(512, 512))
    // The system limits the bytes that wait in the connections themselves.
    await until(
      async () => screen.sent() - before,
      (sent) => expect(sent).toBeGreaterThan(DISPLAY_WINDOW),
    )
    viewer.socket.resume()
    for (let count = 0; count < pictures; count++) await viewer.input.take(each)
    expect(screen.sent() - before).toBe(pictures * each)
  })

  test('is closed after a time in which it took nothing', async () => {
    let left = false
    const readable = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(DISPLAY_WINDOW)),
      cancel: () => void (left = true),
    })
    let buffered = 0
    const closed = new Promise<unknown[]>((resolve) => {
      const socket = {
        send: (data: Uint8Array | string) => void (buffered += data.length),
        close: (...why: unknown[]) => resolve(why),
        buffered: () => buffered,
      }
      showDisplay({ readable, writable: new WritableStream() }, socket, 1)
    })
    expect(await closed).toEqual([1013, displayEndings.slow])
    expect(left).toBe(true)
    expect(buffered).toBe(2 * DISPLAY_WINDOW)
  })
})

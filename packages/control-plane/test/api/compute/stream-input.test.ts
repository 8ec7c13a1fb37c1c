/** Input of serial consoles and screens of machines that read it slowly or not at all. */
import { once } from 'node:events'
import { consoleEndings, INPUT_MAX, INPUT_WINDOW, inputEndings } from '@steading/api/rules'
import { simulatedEngine } from '@steading/simulator'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { memoryBlockStore } from '../../../src/engines/volumes/memory.ts'
import { createInputWindow } from '../../../src/transport/input-window.ts'
import { type Caller, overHttp } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { reaches, smallInstance } from '../../support/things.ts'

/** The input of the machine under test, which reads nothing until it is opened. */
class SlowInput {
  takes = false
  taken = 0
  /** Bytes handed over and not taken. */
  held = 0
  mostHeld = 0
  #waiting: (() => void)[] = []

  async take(data: Uint8Array): Promise<void> {
    this.held += data.length
    this.mostHeld = Math.max(this.mostHeld, this.held)
    if (!this.takes) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.held -= data.length
    this.taken += data.length
  }

  open(): void {
    this.takes = true
    for (const go of this.#waiting.splice(0)) go()
  }
}

let input = new SlowInput()
let server: TestServer
let admin: Caller
let id: string

beforeAll(async () => {
  const simulated = simulatedEngine(memoryBlockStore(), { bootMs: 0, stopMs: 0, rebootMs: 0 })
  server = await startTestServer({}, async () => ({
    ...simulated,
    open(parts) {
      const opened = simulated.open(parts)
      const drained = () => {}
      const leave = () => {}
      return {
        ...opened,
        consoles: {
          ...opened.consoles,
          open: () => ({ type: (data: Uint8Array) => input.take(data), drained, leave }),
        },
        displays: {
          open: async () => ({
            readable: new ReadableStream<Uint8Array>(),
            writable: new WritableStream<Uint8Array>({ write: (data) => input.take(data) }),
          }),
          screenshot: async () => new Uint8Array(),
        },
      }
    },
  }))
  // Its calls are the measure for the sockets beside them.
  overHttp(server)
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const body = smallInstance('slow', { start: true })
  id = (await admin.call('instance_create', { query: { project: 'work' }, body })).id
  await reaches(admin, id, 'running')
})
afterAll(() => server.close())

const FRAME = 256 * 1024
/** More than the buffers of the operating system between client and server. */
const FRAMES = 96

/** A viewer that sends more than the machine reads, until the server makes the viewer wait. */
async function waitingViewer(path: string, caller: Caller): Promise<WebSocket> {
  input = new SlowInput()
  const url = server.url.replace('http', 'ws') + path.replace('ID', id)
  const socket = new WebSocket(url, { headers: caller.credentials })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  for (let frame = 0; frame < FRAMES; frame++) socket.send(Buffer.alloc(FRAME))
  // The server stops reading the socket while it goes on answering, so the client cannot send more.
  for (let [same, before] = [0, -1]; same < 20;) {
    await admin.call('project_view', { params: { project: 'work' } })
    same = socket.bufferedAmount === before ? same + 1 : 0
    before = socket.bufferedAmount
  }
  expect(socket.bufferedAmount).toBeGreaterThan(0)
  expect(input.held).toBeGreaterThan(0)
  return socket
}

const paths = ['/v1/instances/ID/serial-console/stream', '/x/v1/instances/ID/display']

test.each(paths)('a viewer of %s waits while the machine reads nothing', async (path) => {
  const socket = await waitingViewer(path, admin)
  input.open()
  await expect.poll(() => input.taken).toBe(FRAMES * FRAME)
  expect(input.mostHeld).toBeLessThanOrEqual(INPUT_WINDOW + 2 * FRAME)
  expect(socket.readyState).toBe(WebSocket.OPEN)
})

test('a viewer that waits is closed when the user signs out', async () => {
  const { caller } = await server.createUser('leaver', { silo: 'collaborator' })
  const socket = await waitingViewer(paths[0]!, caller)
  const closed = once(socket, 'close')
  await caller.call('logout')
  const [code, reason] = (await closed) as [number, Buffer]
  expect([code, String(reason)]).toEqual([1008, consoleEndings.signedOut])
  // Input that arrives afterwards does not reach the machine.
  const held = input.held
  input.open()
  await expect.poll(() => input.held).toBe(0)
  expect(input.taken).toBe(held)
})

test('a viewer whose input the machine never reads is closed with the reason', async () => {
  const refused = Promise.withResolvers<string>()
  const signals: string[] = []
  const window = createInputWindow(
    {
      pause: () => void signals.push('pause'),
      resume: () => void signals.push('resume'),
      refuse: refused.resolve,
    },
    1,
  )
  window.add(INPUT_WINDOW)
  window.take(INPUT_WINDOW)
  expect(signals).toEqual(['pause', 'resume'])
  window.add(INPUT_WINDOW)
  expect(await refused.promise).toBe(inputEndings.stalled)
})

test('a viewer that goes on sending instead of waiting is closed with the reason', () => {
  const refused: string[] = []
  const window = createInputWindow({
    pause: () => {},
    resume: () => {},
    refuse: (reason) => void refused.push(reason),
  })
  for (let frame = 1; frame < INPUT_MAX / FRAME; frame++) expect(window.add(FRAME)).toBe(true)
  expect(window.add(FRAME)).toBe(false)
  expect(refused).toEqual([inputEndings.flooding])
  window.close()
})

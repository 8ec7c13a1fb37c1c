/** An idle event stream: kept alive, and ended with its session. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { simulatedEngine } from '@steading/simulator'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { digest } from '../src/kernel/secrets.ts'
import { createSession } from '../src/resources/identity/sessions/sessions.ts'
import { type ControlPlane, createControlPlane } from '../src/control-plane.ts'
import { fromNow } from './support/times.ts'

const KEEP_ALIVE = 15_000

let controlPlane: ControlPlane
let cookie: string
let userId: string
beforeEach(async () => {
  vi.useFakeTimers()
  controlPlane = await createControlPlane({
    database: openSqlite(':memory:'),
    engine: simulatedEngine(memoryBlockStore()),
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
  })
  await controlPlane.bootstrap({ adminPassword: 'correct horse' })
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  userId = id
  cookie = `session=${await createSession(db, id, new Date())}`
})
afterEach(async () => {
  await controlPlane.stop()
  vi.useRealTimers()
})

async function open(
  signal?: AbortSignal,
  headers: Record<string, string> = { cookie },
): Promise<ReadableStreamDefaultReader<string>> {
  const request = new Request('http://localhost/x/v1/events', { headers, signal })
  const { body } = await controlPlane.fetch(request, { clientAddress: '' })
  return body!.pipeThrough(new TextDecoderStream()).getReader()
}

test('is kept alive by a comment every fifteen seconds', async () => {
  const reader = await open()
  expect(await reader.read()).toMatchObject({ value: 'retry: 1000\n\n' })
  for (let times = 0; times < 3; times++) {
    let told = false
    const read = reader.read().finally(() => (told = true))
    await vi.advanceTimersByTimeAsync(KEEP_ALIVE - 1)
    expect(told).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await read).toMatchObject({ value: ': keep-alive\n\n' })
  }
  await reader.cancel()
})

test('ends with its session, even when idle', async () => {
  const reader = await open()
  await reader.read()
  const read = reader.read()
  await controlPlane.database.db.deleteFrom('console_session').execute()
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE)
  expect(await read).toMatchObject({ done: true })
})

test('ends with its session, even if the clock was set back @long', async () => {
  const reader = await open()
  await reader.read()
  const read = reader.read()
  vi.setSystemTime(Date.now() - 3_600_000)
  await controlPlane.database.db.deleteFrom('console_session').execute()
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE)
  expect(await read).toMatchObject({ done: true })
})

test.each([
  ['', 0],
  [', though the clock was set back', 3_600_000],
])('an expiring access token ends it at once%s', async (_, setBack) => {
  const token = `oxide-token-${'1'.repeat(40)}`
  await controlPlane.database.db
    .insertInto('access_token')
    .values({
      id: crypto.randomUUID(),
      token_hash: await digest(token),
      device_code_hash: '',
      client_id: '',
      user_id: userId,
      time_created: new Date().toISOString(),
      time_expires: fromNow(2_000).toISOString(),
    })
    .execute()
  const reader = await open(undefined, { authorization: `Bearer ${token}` })
  await reader.read()
  let over = false
  const read = reader.read().finally(() => (over = true))
  vi.setSystemTime(Date.now() - setBack)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(over).toBe(false)
  vi.setSystemTime(Date.now() + setBack)
  await vi.advanceTimersByTimeAsync(2)
  expect(await read).toMatchObject({ done: true })
})

test('queues one message for a client that does not read', async () => {
  vi.useRealTimers()
  const reader = await open()
  const attentive = await open()
  for (let index = 0; index < 20; index++) {
    const request = new Request('http://localhost/v1/projects', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `unread-${index}`, description: '' }),
    })
    expect((await controlPlane.fetch(request, { clientAddress: '' })).status).toBe(201)
  }
  const piecesOf = async (stream: typeof reader) => {
    let pieces = 0
    for (let text = ''; !text.includes('unread-19'); pieces++) text += (await stream.read()).value
    return pieces
  }
  // From then on, the server has every event to send.
  await piecesOf(attentive)
  // The greeting, the message in the queue, and all later events at once.
  expect(await piecesOf(reader)).toBeLessThanOrEqual(3)
  await Promise.all([reader.cancel(), attentive.cancel()])
})

test('ends when the client is gone', async () => {
  const leaving = new AbortController()
  const reader = await open(leaving.signal)
  await reader.read()
  const read = reader.read()
  leaving.abort()
  expect(await read).toMatchObject({ done: true })
})

/** A quiet stream of events: kept alive, and ended when its session is. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { createSimulatedEngines } from '../src/engines/simulated/engines.ts'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { createSession } from '../src/resources/auth/sessions.ts'
import { type ControlPlane, createControlPlane } from '../src/control-plane.ts'

const KEEP_ALIVE = 15_000

let controlPlane: ControlPlane
let cookie: string
beforeEach(async () => {
  vi.useFakeTimers()
  controlPlane = await createControlPlane({
    database: openSqlite(':memory:'),
    engines: (parts) => createSimulatedEngines(parts, memoryBlockStore()),
    passwords: { hash: async (password) => password, verify: async (a, b) => a === b },
  })
  await controlPlane.bootstrap({ adminPassword: 'x' })
  const { db } = controlPlane.database
  const { id } = await db.selectFrom('silo_user').select('id').executeTakeFirstOrThrow()
  cookie = `session=${await createSession(db, id, new Date())}`
})
afterEach(async () => {
  await controlPlane.stop()
  vi.useRealTimers()
})

async function open(signal?: AbortSignal) {
  const request = new Request('http://localhost/x/v1/events', { headers: { cookie }, signal })
  const { body } = await controlPlane.fetch(request, { clientAddress: '' })
  return body!.pipeThrough(new TextDecoderStream()).getReader()
}

test('a comment every fifteen seconds keeps it alive', async () => {
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

test('a session that has ended ends it, though nothing happens', async () => {
  const reader = await open()
  await reader.read()
  const read = reader.read()
  await controlPlane.database.db.deleteFrom('console_session').execute()
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE)
  expect(await read).toMatchObject({ done: true })
})

test('a session that has ended ends it, though the clock was set back', async () => {
  const reader = await open()
  await reader.read()
  const read = reader.read()
  vi.setSystemTime(Date.now() - 3_600_000)
  await controlPlane.database.db.deleteFrom('console_session').execute()
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE)
  expect(await read).toMatchObject({ done: true })
})

test('a client that is gone ends it', async () => {
  const leaving = new AbortController()
  const reader = await open(leaving.signal)
  await reader.read()
  const read = reader.read()
  leaving.abort()
  expect(await read).toMatchObject({ done: true })
})

/** Callers that were authenticated a moment ago. */
import { beforeEach, expect, test } from 'vitest'
import { createSessionCache, type SessionCache } from '../src/resources/auth/sessions.ts'
import type { Actor } from '../src/kernel/authz/actor.ts'

const someone = { userId: 'someone' } as Actor

let sessions: SessionCache
let now: number
beforeEach(() => {
  now = 0
  sessions = createSessionCache(() => now)
})

test('are known for a while', async () => {
  expect(await sessions.fill('token', async () => ({ actor: someone, trustMs: 1_000 }))).toBe(
    someone,
  )
  now = 999
  expect(sessions.get('token')).toBe(someone)
  expect(sessions.get('other')).toBeUndefined()
  now = 1_000
  expect(sessions.get('token')).toBeUndefined()
})

test('are forgotten at the next write', async () => {
  await sessions.fill('token', async () => ({ actor: someone, trustMs: 1_000 }))
  sessions.clear()
  expect(sessions.get('token')).toBeUndefined()
})

test('are not remembered as they were before a write that came in between', async () => {
  const read = Promise.withResolvers<{ actor: Actor; trustMs: number }>()
  const filling = sessions.fill('token', () => read.promise)
  sessions.clear()
  read.resolve({ actor: someone, trustMs: 1_000 })
  expect(await filling).toBe(someone)
  expect(sessions.get('token')).toBeUndefined()
})

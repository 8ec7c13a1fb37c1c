/** Callers that were authenticated a moment ago. */
import { beforeEach, expect, test } from 'vitest'
import { createSessionCache, type SessionCache } from '../src/resources/auth/sessions.ts'
import type { Actor } from '../src/kernel/authz/actor.ts'

const someone = { userId: 'someone' } as Actor
const at = (milliseconds: number) => new Date(milliseconds)

let sessions: SessionCache
beforeEach(() => {
  sessions = createSessionCache()
})

test('are known for a while', async () => {
  expect(await sessions.fill('token', async () => ({ actor: someone, until: 1_000 }))).toBe(someone)
  expect(sessions.get('token', at(999))).toBe(someone)
  expect(sessions.get('token', at(1_000))).toBeUndefined()
  expect(sessions.get('other', at(0))).toBeUndefined()
})

test('are forgotten at the next write', async () => {
  await sessions.fill('token', async () => ({ actor: someone, until: 1_000 }))
  sessions.clear()
  expect(sessions.get('token', at(0))).toBeUndefined()
})

test('are not remembered as they were before a write that came in between', async () => {
  const read = Promise.withResolvers<{ actor: Actor; until: number }>()
  const filling = sessions.fill('token', () => read.promise)
  sessions.clear()
  read.resolve({ actor: someone, until: 1_000 })
  expect(await filling).toBe(someone)
  expect(sessions.get('token', at(0))).toBeUndefined()
})

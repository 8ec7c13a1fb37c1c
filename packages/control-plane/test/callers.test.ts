/** Cached callers. */
import { beforeEach, expect, test } from 'vitest'
import { type CallerCache, createCallerCache } from '../src/resources/identity/auth/authenticate.ts'
import type { Caller } from '../src/kernel/authz/caller.ts'

const someone = { actor: { userId: 'someone' } } as Caller

let callers: CallerCache
let now: number
beforeEach(() => {
  now = 0
  callers = createCallerCache(() => now)
})

test('are cached for a while', async () => {
  expect(await callers.fill('token', async () => ({ caller: someone, trustMs: 1_000 }))).toBe(
    someone,
  )
  now = 999
  expect(callers.get('token')).toBe(someone)
  expect(callers.get('other')).toBeUndefined()
  now = 1_000
  expect(callers.get('token')).toBeUndefined()
})

test('are removed from the cache by the next write', async () => {
  await callers.fill('token', async () => ({ caller: someone, trustMs: 1_000 }))
  callers.clear()
  expect(callers.get('token')).toBeUndefined()
})

test('are not cached if a write came during the read', async () => {
  const read = Promise.withResolvers<{ caller: Caller; trustMs: number }>()
  const filling = callers.fill('token', () => read.promise)
  callers.clear()
  read.resolve({ caller: someone, trustMs: 1_000 })
  expect(await filling).toBe(someone)
  expect(callers.get('token')).toBeUndefined()
})

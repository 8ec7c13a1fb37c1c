/** The order of conversions. */
import { expect, test } from 'vitest'
import { createFairQueue } from '../src/volumes/fair-queue.ts'

test('an owner with many conversions leaves places to other owners, who come first', () => {
  const { enter } = createFairQueue()
  const running: string[] = []
  const ask = (id: string, owner: string, now = 0) => {
    const enters = enter(id, owner, running, now)
    if (enters) running.push(owner)
    return enters
  }
  expect(['a1', 'a2', 'a3', 'a4'].map((id) => ask(id, 'a'))).toEqual([true, true, false, false])
  expect(ask('b1', 'b')).toBe(true)
  expect(ask('b2', 'b')).toBe(true)
  expect(ask('c1', 'c')).toBe(false)
  // One of each ends: the owner without any is next, though others have waited longer.
  running.splice(running.indexOf('a'), 1)
  expect(ask('a3', 'a')).toBe(false)
  expect(ask('c1', 'c')).toBe(true)
})

test('a conversion that is no longer asked for does not hold up others', () => {
  const { enter } = createFairQueue()
  expect(enter('gone', 'a', ['b', 'b', 'c', 'c'], 0)).toBe(false)
  expect(enter('next', 'a', [], 5_000)).toBe(false)
  expect(enter('next', 'a', [], 10_001)).toBe(true)
})

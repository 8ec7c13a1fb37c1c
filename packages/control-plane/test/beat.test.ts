/** Waits that end together, by a clock that only `vi` moves. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterAbout } from '../src/kernel/beat.ts'
import { yieldToEventLoop } from '../src/kernel/event-loop.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** The times at which some work was done. */
const done = new Map<string, number[]>()
beforeEach(() => done.clear())
const note = (name: string) => () => {
  done.set(name, [...(done.get(name) ?? []), performance.now()])
}

/** Does work again and again. */
function repeat(name: string, ms: number): () => void {
  let cancel = afterAbout(ms, again)
  function again() {
    note(name)()
    cancel = afterAbout(ms, again)
  }
  return () => cancel()
}

/** Moves the clock, with all work that it makes due. */
async function pass(ms: number): Promise<void> {
  for (let moved = 0; moved < ms; moved += 100) {
    await vi.advanceTimersByTimeAsync(100)
    for (let turn = 0; turn < 10; turn++) await yieldToEventLoop()
  }
}

test('waits that began at different times end together', async () => {
  const ends = [repeat('one', 5_000)]
  await pass(700)
  ends.push(repeat('two', 5_000))
  await pass(1_600)
  ends.push(repeat('three', 1_000))
  await pass(17_700)
  for (const end of ends) end()
  expect(done.get('one')).toEqual([5_000, 10_000, 15_000, 20_000])
  expect(done.get('two')).toEqual([10_000, 15_000, 20_000])
  expect(done.get('three')).toEqual(Array.from({ length: 18 }, (_, beat) => 3_000 + beat * 1_000))
  await pass(10_000)
  expect(done.get('one')).toHaveLength(4)
})

test('short and long waits are exact', async () => {
  await pass(300)
  afterAbout(20, note('short'))
  afterAbout(60_000, note('long'))
  await pass(61_000)
  expect([...done]).toEqual([
    ['short', [320]],
    ['long', [60_300]],
  ])
})

test('a wait is ended by the work of another one', async () => {
  afterAbout(1_000, () => end())
  const end = afterAbout(1_000, note('ended'))
  await pass(3_000)
  expect(done.get('ended')).toBeUndefined()
})

test('an idle process has no timer', async () => {
  afterAbout(1_000, note('one'))()
  afterAbout(1_000, note('two'))
  await pass(2_000)
  expect(vi.getTimerCount()).toBe(0)
  expect([...done.keys()]).toEqual(['two'])
})

test('short waits do not come before longer ones for ever while the clock stands still', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const start = performance.now()
  const stopped = vi.spyOn(performance, 'now').mockReturnValue(start)
  const ends = [repeat('short', 1_000), repeat('long', 5_000)]
  await pass(12_000)
  for (const end of ends) end()
  stopped.mockRestore()
  expect(done.get('long')?.length).toBeGreaterThan(0)
})

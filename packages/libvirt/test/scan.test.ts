/** How often rows are looked at, by a clock that only `vi` moves. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { yieldToEventLoop } from '@steading/control-plane/engine'
import { createScan, type ScanOptions } from '../src/scan.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Moves the clock by a tenth of a second, with all work that it makes due. */
async function pass(seconds: number): Promise<void> {
  for (let moved = 0; moved < seconds * 10; moved++) {
    await vi.advanceTimersByTimeAsync(100)
    for (let turn = 0; turn < 5; turn++) await yieldToEventLoop()
  }
}

/** A scan that has something to do while `isBusy` says so. */
function begin(options: Partial<ScanOptions> = {}) {
  const state = { looks: 0, isBusy: false, fails: false }
  const scan = createScan(
    { name: 'looking', scanMs: 2_000, shared: false, log: () => {}, ...options },
    async () => {
      state.looks++
      if (state.fails) throw new Error('no answer')
      return state.isBusy
    },
  )
  onTestFinished(scan.stop)
  scan.start()
  return {
    state,
    scan,
    /** Looks within some seconds. */
    async looks(seconds: number) {
      const before = state.looks
      await pass(seconds)
      return state.looks - before
    },
  }
}

test('looks seldom while there is nothing to do', async () => {
  const { looks } = begin()
  expect(await looks(40)).toBe(4)
})

test.each(['isBusy', 'fails'] as const)('looks often while something is left: %s', async (why) => {
  const { looks, state } = begin()
  state[why] = true
  await pass(10)
  expect(await looks(20)).toBe(10)
  state[why] = false
  await pass(10)
  expect(await looks(40)).toBe(4)
})

test('looks often at rows that other servers write', async () => {
  const { looks } = begin({ shared: true })
  expect(await looks(20)).toBe(10)
})

test('looks soon after a notice', async () => {
  const { looks, scan } = begin()
  await pass(10)
  scan.soon()
  scan.soon()
  expect(await looks(2)).toBe(1)
  expect(await looks(4)).toBe(0)
})

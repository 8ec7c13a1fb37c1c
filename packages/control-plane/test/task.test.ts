import { expect, onTestFinished, test, vi } from 'vitest'
import { createTask, type TaskOptions } from '../src/kernel/task.ts'
import type { TaskLease } from '../src/kernel/task-lease.ts'

const HOUR_MS = 60 * 60 * 1000
const now = new Date('2026-11-29T12:00:00Z')

function begin(options: Partial<TaskOptions>, round: () => Promise<void | 'elsewhere'>) {
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const task = createTask(
    { clock: () => now, log },
    { name: 'counting', every: HOUR_MS, ...options },
    round,
  )
  onTestFinished(() => task.stop())
  return { ...task, logged }
}

test('a task begins its first round as it was told, and plans the next one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = begin({ first: 0 }, async () => resolve())
  expect(task.status()).toEqual({ name: 'counting', running: false })
  await task.start()
  await promise
  await task.now()
  const { last, time_next } = task.status()
  expect(last).toMatchObject({ time_began: now, result: 'done' })
  expect(time_next!.getTime()).toBeGreaterThan(now.getTime())
})

test('a failed round is logged, and others follow', async () => {
  let rounds = 0
  const task = begin({}, async () => {
    if (++rounds === 1) throw new Error('not now')
  })
  await task.now()
  expect(task.logged).toEqual(['counting failed'])
  expect(task.status().last).toMatchObject({ result: 'failed', error: new Error('not now') })
  await task.now()
  expect(task.status().last).toMatchObject({ result: 'done' })
})

test('two rounds never run at the same time', async () => {
  let running = 0
  let most = 0
  const task = begin({}, async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
  })
  await Promise.all([task.now(), task.now(), task.now()])
  expect(most).toBe(1)
})

test('a task without an interval runs only when it is asked, and not after its end', async () => {
  let rounds = 0
  const task = begin({ every: Infinity }, async () => void rounds++)
  task.soon(0)
  await task.start()
  expect(task.status().time_next).toBeUndefined()
  task.soon(HOUR_MS)
  expect(task.status().time_next).toBeDefined()
  task.soon(0)
  await expect.poll(() => rounds).toBe(1)
  await task.stop()
  await task.now()
  expect(rounds).toBe(1)
})

/** A task whose rounds take a second, by a clock that only `vi` moves. */
async function beginSlow(options: Partial<TaskOptions>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const rounds: number[] = []
  const task = begin({ every: Infinity, ...options }, async () => {
    rounds.push(performance.now())
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  })
  onTestFinished(async () => {
    const stopping = task.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    await stopping
    vi.useRealTimers()
  })
  await task.start()
  task.soon(0)
  await vi.advanceTimersByTimeAsync(500)
  expect(task.status().running).toBe(true)
  return { ...task, rounds }
}

test('all notices that come during a round begin one more after it', async () => {
  const { soon, rounds, status } = await beginSlow({})
  for (let notice = 0; notice < 5; notice++) {
    soon(0)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(rounds).toHaveLength(1)
  expect(status().time_next).toBeDefined()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rounds).toHaveLength(2)
})

test('a notice during a round waits for the rest after it', async () => {
  const { soon, rounds } = await beginSlow({ restFactor: 3 })
  soon(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rounds).toHaveLength(2)
  expect(rounds[1]! - rounds[0]!).toBe(4_000)
})

test('the earliest notice decides when the next round begins', async () => {
  const { soon, rounds } = await beginSlow({ every: 60_000 })
  await vi.advanceTimersByTimeAsync(1_000)
  soon(10_000)
  soon(5_000)
  soon(20_000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(rounds).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(rounds).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(rounds).toHaveLength(3)
})

test('a task that has stopped takes no lease', async () => {
  let taken = 0
  const start = async () => void taken++
  const lease = { start, stop: async () => {}, take: async () => true, held: () => true }
  const task = begin({ lease }, async () => {})
  await task.stop()
  await task.now()
  expect(taken).toBe(0)
})

test('a lease is held from the first round to the end', async () => {
  const calls: string[] = []
  const lease: TaskLease = {
    start: async () => void calls.push('start'),
    stop: async () => void calls.push('stop'),
    take: async () => false,
    held: () => false,
  }
  const task = begin({ lease }, async () => ((await lease.take()) ? undefined : 'elsewhere'))
  await task.now()
  await task.now()
  expect(task.status().last).toMatchObject({ result: 'elsewhere' })
  await task.stop()
  expect(calls).toEqual(['start', 'stop'])
})

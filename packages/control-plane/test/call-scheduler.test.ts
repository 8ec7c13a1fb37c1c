/** The start of calls: users take turns, and the number of calls at once is limited. */
import { CALLS_AT_ONCE, CALLS_WAITING_MAX } from '@steading/api/rules'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { yieldToEventLoop } from '../src/kernel/event-loop.ts'
import { createCallScheduler } from '../src/transport/call-scheduler.ts'

// Turns of the event loop take as long as their work, on any machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Takes so long that other calls have to wait for the next turn. */
const work = (): void => void vi.advanceTimersByTime(11)

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('limits the concurrent calls of an operation per user, without delaying others', async () => {
  const { enter } = createCallScheduler()
  const begun: (() => void)[] = []
  const ask = () => void enter({ user: 'a', operation: 'read' }).then((leave) => begun.push(leave))
  for (let index = 0; index < CALLS_AT_ONCE + 2; index++) ask()
  ;(await enter({ user: 'b', operation: 'read' }))()
  ;(await enter({ user: 'a', operation: 'other' }))()
  ;(await enter({ user: 'a' }))()
  expect(begun).toHaveLength(CALLS_AT_ONCE)
  // Leaving twice counts once.
  begun[0]!()
  begun[0]!()
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(begun).toHaveLength(CALLS_AT_ONCE + 1)
  for (const leave of begun) leave()
  for (let turns = 0; turns < 5; turns++) await turn()
  expect(begun).toHaveLength(CALLS_AT_ONCE + 2)
})

test('starts one of the calls that arrive together in each turn, and users take turns', async () => {
  const { enter } = createCallScheduler()
  const began: { user: string; turn: number }[] = []
  let turns = 0
  const call = async (user: string) => {
    const leave = await enter({ user, operation: 'read' })
    began.push({ user, turn: turns })
    work()
    leave()
  }
  const calls: Promise<void>[] = []
  for (const user of ['a', 'a', 'a', 'a', 'b', 'b']) {
    calls.push(call(user))
    // As between two packets: the work of the first call is done in the same turn.
    for (let step = 0; step < 10; step++) await undefined
  }
  let over = false
  const all = Promise.all(calls).then(() => (over = true))
  for (; !over; turns++) await turn()
  await all
  // The first one began at once.
  const [, ...waited] = began
  expect(new Set(waited.map((one) => one.turn)).size).toBe(5)
  expect(began.map(({ user }) => user).join('')).toBe('aababa')
})

test('refuses calls of a user beyond the waiting limit', async () => {
  const { enter } = createCallScheduler()
  const arrival = { user: 'a', operation: 'read' }
  const running = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => enter(arrival)))
  let begun = 0
  const waiting = Array.from({ length: CALLS_WAITING_MAX }, async () => {
    const leave = await enter(arrival)
    begun++
    leave()
  })
  await expect(enter(arrival)).rejects.toMatchObject({
    template: { status: 429 },
    headers: { 'retry-after': '1' },
  })
  for (const leave of running) leave()
  await Promise.all(waiting)
  expect(begun).toBe(CALLS_WAITING_MAX)
})

test('resumes one piece of yielding work in each turn', async () => {
  let done = 0
  const all = Array.from({ length: 5 }, () => yieldToEventLoop().then(() => done++))
  const seen: number[] = []
  for (let turns = 0; done < 5; turns++) {
    await turn()
    seen.push(done)
  }
  await Promise.all(all)
  expect(seen.every((count, index) => count - (seen[index - 1] ?? 0) <= 1)).toBe(true)
})

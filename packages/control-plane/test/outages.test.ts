/** The beginning and end of database damage. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutages } from '../src/kernel/outages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const malformed = new Error('database disk image is malformed')

function watch(check: (() => Promise<string[]>) | undefined) {
  const log = vi.fn<(message: string) => void>()
  const outages = createOutages({
    outageOf: (error) => (error === malformed ? 'damaged' : undefined),
    read: async () => {},
    write: async () => {},
    check,
    clock: () => new Date(),
    reserve: undefined,
    log,
    over: () => {},
  })
  return { outages, messages: () => log.mock.calls.map(([message]) => message) }
}

test('damage lasts as long as the check finds it, and each finding is logged once', async () => {
  let findings = ['table disk: page 7']
  const { outages, messages } = watch(async () => findings)
  expect(outages.damage()).toBeUndefined()
  expect(outages.recognize(malformed)?.template.status).toBe(503)
  outages.recognize(malformed)
  const since = new Date()
  expect(outages.damage()).toEqual({ since, findings: [malformed.message] })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(outages.damage()).toEqual({ since, findings })
  expect(messages()).toEqual([
    expect.stringMatching(/^the database is damaged .* is malformed$/),
    'the check of the database has found: table disk: page 7',
  ])
  findings = []
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect([outages.lasts('damaged'), outages.damage()]).toEqual([false, undefined])
  expect(messages().at(-1)).toBe('the database passes its check')
  await outages.stop()
})

test.for([
  ['without a check', undefined],
  ['that the check does not find', async () => []],
] as const)('damage %s lasts until it has not been met for a minute', async ([, check]) => {
  const { outages, messages } = watch(check)
  for (let minute = 0; minute < 10; minute++) {
    outages.recognize(malformed)
    await vi.advanceTimersByTimeAsync(50_000)
    expect(outages.lasts('damaged')).toBe(true)
  }
  await vi.advanceTimersByTimeAsync(1_200_000)
  expect(outages.lasts('damaged')).toBe(false)
  expect(messages()).toHaveLength(2)
  await outages.stop()
})

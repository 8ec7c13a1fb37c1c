import { describe, expect, test } from 'vitest'
import { units } from '../src/observability/timeseries/vocabulary.ts'
import { amountWords, fromStep, inStep, largestStep, unitSteps } from '../src/rules/units.ts'

test.for([
  [5 * 2 ** 30, 'bytes', '5 GiB'],
  [1.5 * 2 ** 20, 'bytes', '1.5 MiB'],
  [2 ** 40 + 1, 'bytes', '1,099,511,627,777 Bytes'],
  [5_000_000_000, 'bytes', '5,000,000,000 Bytes'],
  [2e9, 'nanoseconds', '2 s'],
  [2_500_000, 'nanoseconds', '2.5 ms'],
  [0.5, 'nanoseconds', '0.5 ns'],
  [0.25, 'seconds', '250 ms'],
  [90, 'seconds', '90 s'],
  [0, 'bytes', '0 Bytes'],
  [-5, 'degrees_celsius', '-5 °C'],
  [0.25, 'count', '0.25'],
  [1234.5, null, '1,234.5'],
  [7, 'furlongs', '7'],
  // Counters are displayed as rates: the increase between two samples per time.
  [4.5e9, 'nanoseconds/5s', '90%'],
  [1000 * 2 ** 20, 'bytes/10s', '100 MiB/s'],
  [5, 'bytes/10s', '0.5 Bytes/s'],
  [1, 'count/10s', '0.1/s'],
  [3, 'volts/10s', '3'],
] as const)('%d %s is written as %s', ([value, unit, words]) => {
  expect(amountWords(value, unit)).toBe(words)
})

test('the largest unit not above the value is chosen', () => {
  expect(largestStep('bytes', 5_000_000_000).unit).toBe('GiB')
  expect(largestStep('nanoseconds', 0.1).unit).toBe('ns')
  expect(largestStep(null, 1e12).unit).toBe('')
})

describe.for(units)('of %s', (unit) => {
  test('conversions to and from the measurement unit are lossless', () => {
    const steps = unitSteps(unit)
    expect(steps.filter(({ size }) => size === 1)).toHaveLength(1)
    for (const step of steps) {
      for (const value of [0.1, 1.1, 4.35, 123.456]) {
        expect(inStep(fromStep(value, step), step)).toBe(value)
      }
    }
  })
})

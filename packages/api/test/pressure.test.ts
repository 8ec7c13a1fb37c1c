import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pressureOf } from '../src/observability/forecasts/pressure.ts'

test.for([
  [0, 100, 'low'],
  [79.9, 100, 'low'],
  [80, 100, 'high'],
  [91.9, 100, 'high'],
  [92, 100, 'nearly full'],
  [150, 100, 'nearly full'],
  [0, 0, 'low'],
  [1, 0, 'nearly full'],
] as const)('%d of %d is %s', ([used, limit, pressure]) => {
  expect(pressureOf(used, limit)).toBe(pressure)
})

test('pressure never decreases with usage', () => {
  const order = ['low', 'high', 'nearly full']
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (used, more, limit) => {
      const [before, after] = [pressureOf(used, limit), pressureOf(used + more, limit)]
      expect(order.indexOf(after)).toBeGreaterThanOrEqual(order.indexOf(before))
    }),
  )
})

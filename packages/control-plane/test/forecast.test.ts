/** Forecasts of when a growing resource runs out. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forecast } from '../src/resources/observability/forecasts/forecast.ts'

const TODAY = 20_000
const DAYS = 30
const historyOf = (values: readonly number[]) =>
  values.map((used, index) => ({ day: TODAY - values.length + 1 + index, used }))
const line = (perDay: number, end: number, days = DAYS) =>
  Array.from({ length: days }, (_, index) => end - perDay * (days - 1 - index))

const pace = fc.integer({ min: 1, max: 1000 })
/** Number of days until it runs out. */
const left = fc.integer({ min: 1, max: 1000 })

/** Numbers from 0 to 1, the same for each seed. */
function chanceOf(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('a forecast', () => {
  test('is exact for even growth', () => {
    fc.assert(
      fc.property(pace, left, (perDay, days) => {
        const used = perDay * DAYS
        const { outlook, runsOut } = forecast(
          historyOf(line(perDay, used)),
          used,
          used + perDay * days,
        )
        expect(outlook).toBe('growing')
        for (const at of ['earliest', 'likely', 'latest'] as const) {
          expect(runsOut![at]).toBeCloseTo(TODAY + days, 3)
        }
      }),
    )
  })

  test('does not depend on the unit', () => {
    const noisy = fc.array(fc.nat({ max: 100 }), { minLength: 10, maxLength: DAYS })
    fc.assert(
      fc.property(noisy, fc.constantFrom(2, 1024, 2 ** 40), (values, unit) => {
        const used = values.at(-1)!
        const one = forecast(historyOf(values), used, 200)
        const other = forecast(
          historyOf(values.map((value) => value * unit)),
          used * unit,
          200 * unit,
        )
        expect(other).toEqual(one)
      }),
    )
  })

  test('is not changed by a few unusual days', () => {
    const unusual = fc.array(fc.tuple(fc.nat({ max: DAYS - 2 }), fc.nat({ max: 100_000 })), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(pace, left, unusual, (perDay, days, changes) => {
        const used = perDay * DAYS
        const values = line(perDay, used)
        for (const [at, value] of changes) values[at] = value
        const { runsOut } = forecast(historyOf(values), used, used + perDay * days)
        expect(runsOut!.likely).toBeCloseTo(TODAY + days, 3)
      }),
    )
  })

  test('has a later end with more room, and its bounds in order', () => {
    const rising = fc.array(fc.nat({ max: 50 }), { minLength: 10, maxLength: DAYS })
    fc.assert(
      fc.property(rising, fc.integer({ min: 1, max: 500 }), left, (steps, room, more) => {
        let sum = 0
        const values = steps.map((step) => (sum += step))
        const end = (capacity: number) => forecast(historyOf(values), sum, capacity).runsOut
        const [small, large] = [end(sum + room), end(sum + room + more)]
        if (!small || !large) return
        expect(small.earliest).toBeLessThanOrEqual(small.likely)
        expect(small.likely).toBeLessThanOrEqual(small.latest ?? Infinity)
        expect(small.earliest).toBeGreaterThan(TODAY)
        expect(large.earliest).toBeGreaterThan(small.earliest)
        expect(large.likely).toBeGreaterThan(small.likely)
      }),
    )
  })

  test.each([
    ['goes up and down', 0.5, 60],
    ['stays where it went', 0.9, 60],
  ])('mostly has the truth between its bounds, if use %s', (_, lasts, noise) => {
    let inside = 0
    let useful = 0
    for (let seed = 1; seed <= 200; seed++) {
      const chance = chanceOf(seed * 7919)
      let deviation = 0
      const values = line(10, 1000).map((value) => {
        deviation = deviation * lasts + (chance() - 0.5) * noise
        return value + deviation
      })
      const { runsOut } = forecast(historyOf(values), 1000, 1500)
      if (!runsOut) continue
      const { earliest, latest = Infinity } = runsOut
      const truth = TODAY + 50
      if (earliest <= truth && truth <= latest) inside++
      if (earliest > TODAY + 20) useful++
    }
    expect(inside).toBeGreaterThan(160)
    expect(useful).toBeGreaterThan(160)
  })

  test.each([
    ['of a week is not made', line(10, 100, 7), 100, 'too_little_history'],
    ['of nothing is not made', [], 0, 'too_little_history'],
    ['of what stays is that it does not grow', line(0, 100), 100, 'not_growing'],
    ['of what shrinks is that it does not grow', line(-10, 100), 100, 'not_growing'],
    [
      'of what was needed once is that it does not grow',
      [...line(0, 5, 29), 90],
      90,
      'not_growing',
    ],
    ['of what is full needs no history', [], 1000, 'full'],
    ['of what grows hardly has no end', line(0.001, 100), 100, 'growing'],
  ] as const)('%s', (_, values, used, outlook) => {
    expect(forecast(historyOf(values), used, 1000)).toEqual({ outlook, runsOut: undefined })
  })
})

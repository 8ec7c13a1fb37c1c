/** Data of charts, independent of drawing. */
import { TiB } from '@steading/api/rules'
import { expect, test } from 'vitest'
import {
  csvOf,
  isMarked,
  mergedSpans,
  shortCount,
  spansWithin,
  summaryOf,
  timeLabels,
  topOf,
  within,
} from '../../src/ui/charts/chart-data.ts'
import { recurrenceWords } from '../../src/compute/schedules/labels.ts'
import { formatRange } from '../../src/ui/exact-time.ts'
import { formatTime, ownTimeZone } from '../../src/ui/time.tsx'
import { rangeProblem } from '../../src/ui/charts/time-range.ts'
import { moved, scaled } from '../../src/ui/charts/zoom.ts'
import { resources } from '../../src/tenancy/utilization/amounts.ts'
import { provisionedData } from '../../src/tenancy/utilization/provisioned.ts'

/** With plain spaces, where languages have narrow ones. */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ')

test('the summary ignores missing values', () => {
  expect(summaryOf([3, null, 1, 2, null])).toEqual({ last: 2, min: 1, max: 3 })
  expect(summaryOf([null])).toEqual({ last: undefined, min: undefined, max: undefined })
})

test('the axis leaves room above the highest value', () => {
  expect(topOf(10)).toBe(12)
  expect(topOf(0)).toBe(1)
  expect(topOf(null)).toBe(1)
})

test.each([
  [{ from: 0, to: 100 }, [10, 20, 30]],
  [{ from: 10, to: 20 }, [10, 20]],
  [{ from: 11, to: 29 }, [20]],
  [{ from: 21, to: 29 }, []],
  [{ from: 31, to: 40 }, []],
])('a span %o contains the times %o', (span, times) => {
  const data = { times: [10, 20, 30], series: [{ name: 'a', values: [10, 20, 30] }] }
  expect(within(data, span)).toEqual({ times, series: [{ name: 'a', values: times }] })
})

test('the CSV has times in UTC, quoted names and gaps', () => {
  const data = {
    times: [0, 1000],
    series: [
      { name: 'a, b', values: [1.5, null] },
      { name: 'c', values: [null, 2] },
    ],
  }
  expect(csvOf(data)).toBe(
    'time,"a, b",c\r\n1970-01-01T00:00:00.000Z,1.5,\r\n1970-01-01T00:00:01.000Z,,2\r\n',
  )
})

test('time labels include dates only across days, and only the date at midnight', () => {
  const at = (day: number, hour: number) => new Date(2026, 4, day, hour).getTime()
  const labels = (times: number[], from: number, to: number) =>
    timeLabels(times, from, to).map(plain)
  expect(labels([at(3, 9), at(3, 21)], at(3, 8), at(3, 22))).toEqual(['9:00 AM', '9:00 PM'])
  expect(labels([at(3, 9), at(4, 0)], at(3, 8), at(4, 8))).toEqual(['May 3, 9:00 AM', 'May 4'])
})

test('a range names its day once, and the years only if one is not the present year', () => {
  const at = (year: number, day: number, hour: number) => new Date(year, 4, day, hour).getTime()
  const now = new Date(2026, 5, 1)
  const text = (from: number, to: number) => plain(formatRange(from, to, now))
  expect(text(at(2026, 3, 9), at(2026, 3, 10))).toBe('May 3, 9:00 – 10:00 AM')
  expect(text(at(2026, 3, 9), at(2026, 4, 21))).toBe('May 3, 9:00 AM – May 4, 9:00 PM')
  expect(text(at(2025, 3, 9), at(2026, 4, 21))).toBe('May 3, 2025, 9:00 AM – May 4, 2026, 9:00 PM')
})

test('schedules and charts write a time of day alike', () => {
  const words = (timeZone: string) =>
    plain(recurrenceWords({ type: 'cron', expression: '0 14 * * *', timeZone }))
  expect(words(ownTimeZone())).toBe(`Every day at ${plain(formatTime(new Date(2026, 4, 3, 14)))}`)
  expect(words('Pacific/Apia')).toBe('Every day at 2:00 PM, Pacific/Apia')
})

test.each([
  [0, '0'],
  [999, '999'],
  [1234, '1.23k'],
  [45_600_000, '45.6M'],
  [7e9, '7B'],
  [1.5e13, '15T'],
])('%d is short %s', (value, text) => expect(shortCount(value)).toBe(text))

test('zooming stays within the whole, which itself is not a zoom', () => {
  const whole = { from: 0, to: 100_000 }
  expect(scaled(whole, 1 / 2, whole)).toEqual({ from: 25_000, to: 75_000 })
  expect(scaled({ from: 25_000, to: 75_000 }, 2, whole)).toBeUndefined()
  expect(scaled({ from: 0, to: 1000 }, 1 / 2, whole)).toEqual({ from: 0, to: 1000 })
  expect(moved({ from: 10_000, to: 20_000 }, -2, whole)).toEqual({ from: 0, to: 10_000 })
  expect(moved({ from: 80_000, to: 90_000 }, 5, whole)).toEqual({ from: 90_000, to: 100_000 })
})

test('a range must not end before it starts', () => {
  expect(rangeProblem({ from: 2, to: 1 })).toBe('Date range is invalid')
  expect(rangeProblem({ from: 1, to: 1 })).toBeUndefined()
})

test('provisioned amounts are steps from start to end of the range', () => {
  const storage = resources[2]
  const point = (time: number, tebibytes: number) => ({
    timestamp: new Date(time),
    datum: { type: 'i64' as const, datum: tebibytes * TiB },
  })
  const span = { from: 1000, to: 5000 }
  const data = (points: ReturnType<typeof point>[], before?: ReturnType<typeof point>) => {
    const { times, series } = provisionedData(points, before, span, storage)
    return times.map((time, index) => [time, series[0]!.values[index]])
  }
  expect(data([])).toEqual([
    [1000, 0],
    [5000, 0],
  ])
  expect(data([point(2000, 3)], point(500, 2))).toEqual([
    [1000, 2],
    [2000, 3],
    [5000, 3],
  ])
  expect(data([point(1000, 3)], point(500, 2))).toEqual([
    [1000, 3],
    [5000, 3],
  ])
})

test('overlapping bands are drawn once, invisible ones not at all', () => {
  const spans = [
    { from: 50, to: 60 },
    { from: 10, to: 20 },
    { from: 15, to: 30 },
    { from: 12, to: 13 },
  ]
  expect(mergedSpans(spans)).toEqual([
    { from: 10, to: 30 },
    { from: 50, to: 60 },
  ])
  expect(spansWithin(spans, { from: 20, to: 55 })).toEqual([spans[0], spans[1], spans[2]])
  expect(isMarked({ name: 'Fired', spans }, 30)).toBe(true)
  expect(isMarked({ name: 'Fired', spans }, 31)).toBe(false)
  expect(isMarked(undefined, 30)).toBe(false)
})

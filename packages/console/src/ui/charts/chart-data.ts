/** Data of charts and calculations on it, independent of drawing. */
import { formatDayTime } from '../exact-time.ts'
import { formatTime } from '../time.tsx'
import { csvLine } from '@steading/api/rules'
import type { Span } from './zoom.ts'

export type ChartSeries = {
  name: string
  /** One value per time; null where nothing was measured. */
  values: readonly (number | null)[]
}

export type ChartData = {
  /** Milliseconds since the epoch, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
}

/** Index of the first time at or after `time`. */
function firstFrom(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Index range of the times in a span, which excludes its end. */
export const indexesWithin = (
  times: readonly number[],
  { from, to }: Span,
): [begin: number, end: number] => {
  const begin = firstFrom(times, from)
  let end = firstFrom(times, to)
  if (times[end] === to) end++
  return [begin, end]
}

/** The visible part of the data. */
export function within({ times, series }: ChartData, span: Span): ChartData {
  const [begin, end] = indexesWithin(times, span)
  return {
    times: times.slice(begin, end),
    series: series.map(({ name, values }) => ({ name, values: values.slice(begin, end) })),
  }
}

/** Highlighted times of a chart, such as outages. */
export type ChartBands = {
  /** Label of the bands. */
  name: string
  /** Unordered; may overlap. */
  spans: readonly Span[]
}

/** The union of the spans, ascending. */
export function mergedSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** The spans that overlap the visible range. */
export const spansWithin = (spans: readonly Span[], { from, to }: Span): Span[] =>
  spans.filter((span) => span.from <= to && span.to >= from)

export const isMarked = (bands: ChartBands | undefined, time: number): boolean =>
  bands !== undefined && bands.spans.some(({ from, to }) => from <= time && time <= to)

/** Formatting of values: on the axis, and with units where there is room. */
export type ChartFormat = {
  tick: (value: number) => string
  value: (value: number) => string
}

export type Summary = { last: number | undefined; min: number | undefined; max: number | undefined }

/** The last, smallest and largest measured value. */
export function summaryOf(values: ChartSeries['values']): Summary {
  const summary: Summary = { last: undefined, min: undefined, max: undefined }
  for (const value of values) {
    if (value === null) continue
    summary.last = value
    summary.min = Math.min(summary.min ?? value, value)
    summary.max = Math.max(summary.max ?? value, value)
  }
  return summary
}

/** Upper end of the value axis, with headroom above the maximum. */
export const topOf = (max: number | null): number => (max && max > 0 ? max * 1.2 : 1)

/** CSV with times in UTC, unformatted numbers and empty cells for missing values. */
export const csvOf = ({ times, series }: ChartData): string =>
  [
    ['time', ...series.map(({ name }) => name)],
    ...times.map((time, index) => [
      new Date(time).toISOString(),
      ...series.map(({ values }) => values[index]),
    ]),
  ]
    .map(csvLine)
    .join('')

/** Labels of the time axis, without dates if all times are on one day. */
export function timeLabels(times: readonly number[], from: number, to: number): string[] {
  const oneDay = new Date(from).toDateString() === new Date(to).toDateString()
  return times.map((time) => (oneDay ? formatTime(time) : formatDayTime(time)))
}

const threeDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

/** `0.00123`, `12.3`: three significant digits. */
export const formatShort = (value: number): string => threeDigits.format(value)

const counts = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Three significant digits, with a suffix from thousands on. */
export function shortCount(value: number): string {
  const [size, letter] = counts.find(([limit]) => Math.abs(value) >= limit) ?? [1, '']
  return `${formatShort(value / size)}${letter}`
}

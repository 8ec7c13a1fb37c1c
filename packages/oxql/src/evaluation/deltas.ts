/** Converts stored values to points: cumulative values become differences. */
import type { Histogram, Series, TimeseriesSchema } from '../model.ts'
import { numbersOf, zeros } from './numbers.ts'
import { type Distribution, isCumulative, isHistogram, type Points } from './table.ts'

type Stored = Pick<Series, 'timestamps' | 'startTimes' | 'values'>

/**
 * The points of a series. For a counter or histogram, the first point is its total since it
 * started; the next ones are differences, until it restarts. A value that was not measured is part
 * of the next difference.
 */
export function pointsOf(schema: TimeseriesSchema, series: Stored): Points {
  const timestamps = numbersOf(series.timestamps)
  if (!isCumulative(schema.datumType)) {
    return { timestamps, values: [gauges(series.values)] }
  }
  const { startTimes, epochs } = intervals(series)
  const values = isHistogram(schema.datumType)
    ? histogramDeltas(series.values as (Histogram | null)[], epochs)
    : numberDeltas(series.values as (number | null)[], epochs)
  return { timestamps, startTimes, values: [values] }
}

function gauges(values: Series['values']): Float64Array {
  const numbers = zeros(values.length)
  for (let at = 0; at < values.length; at++) numbers[at] = numberOf(values[at])
  return numbers
}

const numberOf = (datum: unknown): number => (typeof datum === 'number' ? datum : Number.NaN)

/** Index of the previous value in each difference, or -1 after a restart. */
type Epochs = Int32Array

/**
 * Start of each point's interval: the last measured point before, or the counter's restart since
 * then.
 */
function intervals({ timestamps, startTimes: began, values }: Stored) {
  const startTimes = zeros(timestamps.length)
  const epochs: Epochs = new Int32Array(timestamps.length)
  let last = -1
  for (let at = 0; at < timestamps.length; at++) {
    const start = Math.min(began?.[at] ?? timestamps[at]!, timestamps[at]!)
    const end = last < 0 ? -Infinity : timestamps[last]!
    const anew = last < 0 || start > (began?.[last] ?? start) || fell(values[last]!, values[at]!)
    epochs[at] = anew ? -1 : last
    // Intervals do not overlap, even if a machine's clocks disagree.
    startTimes[at] = anew ? Math.max(start, end) : end
    if (values[at] !== null) last = at
  }
  return { startTimes, epochs }
}

/** Counters only grow, so this one has restarted. */
function fell(before: Series['values'][number], value: Series['values'][number]): boolean {
  if (before === null || value === null) return false
  if (typeof value === 'number') return value < (before as number)
  const { bins, counts } = before as Histogram
  return (
    bins.length !== value.bins.length ||
    bins.some((bin, at) => bin !== value.bins[at] || value.counts[at]! < counts[at]!)
  )
}

function numberDeltas(values: readonly (number | null)[], epochs: Epochs): Float64Array {
  const deltas = zeros(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = numberOf(values[at])
    deltas[at] = epochs[at]! < 0 ? value : value - numberOf(values[epochs[at]!])
  }
  return deltas
}

const histogramDeltas = (
  values: readonly (Histogram | null)[],
  epochs: Epochs,
): (Distribution | null)[] =>
  values.map((value, at) => {
    const before = values[epochs[at]!]
    if (!value) return null
    return before ? difference(value, before) : { ...value }
  })

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Samples of a histogram since an earlier state. */
function difference(now: Histogram, before: Histogram): Distribution {
  const counts = now.counts.map((count, at) => count - before.counts[at]!)
  const [n, nBefore] = [total(counts), total(before.counts)]
  const sumOfSamples = now.sumOfSamples - before.sumOfSamples
  // Combines the squared deviations of both parts, and the distance of their means.
  const distance = n && nBefore ? sumOfSamples / n - before.sumOfSamples / nBefore : 0
  const between = n && nBefore ? (distance * distance * n * nBefore) / (n + nBefore) : 0
  return {
    bins: now.bins,
    counts,
    // A new extreme is a new sample; otherwise the extremes of the new samples are unknown.
    min: n && now.min < before.min ? now.min : null,
    max: n && now.max > before.max ? now.max : null,
    sumOfSamples,
    squaredMean: n ? Math.max(0, now.squaredMean - before.squaredMean - between) : 0,
  }
}

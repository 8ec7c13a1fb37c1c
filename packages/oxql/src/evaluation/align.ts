/** Alignment: averages over windows of equal length that end at the end of the query. */
import { UPSAMPLING_MAX } from '../limits.ts'
import { QueryError } from '../query-error.ts'
import { zeros } from './numbers.ts'
import {
  aligned,
  type Column,
  type Points,
  type Table,
  type Timeseries,
  withTimeseries,
} from './table.ts'
import type { Work } from './work.ts'

/** Refuses a column that cannot be averaged. */
function checkColumn({ valueType }: Column): void {
  if (valueType.endsWith('distribution')) {
    throw new QueryError(`Tables with '${valueType}' data types cannot be aligned`)
  }
  if (valueType !== 'integer' && valueType !== 'double') {
    throw new QueryError(`Alignment by mean requires numeric data type, not ${valueType}`)
  }
}

function checkGaps(timestamps: Float64Array, period: number): void {
  for (let at = 1; at < timestamps.length; at++) {
    if (timestamps[at]! - timestamps[at - 1]! > UPSAMPLING_MAX * period) {
      throw new QueryError(
        `A table alignment operation may not upsample data by more than a factor of ${UPSAMPLING_MAX}`,
      )
    }
  }
}

/** Number of the times `end`, `end - period`, … that are not before the first. */
function windowsSince(first: number, end: number, period: number): number {
  if (first > end) return 0
  const estimate = Math.floor((end - first) / period) + 1
  // The division may have been rounded.
  if (end - estimate * period >= first) return estimate + 1
  return end - (estimate - 1) * period < first ? estimate - 1 : estimate
}

/** Each point belongs to one window. */
function alignGauges(points: Points, times: Float64Array): Float64Array {
  const { timestamps } = points
  const values = points.values[0] as Float64Array
  const means = zeros(times.length)
  for (let window = 0, at = 0; window < times.length; window++) {
    let sum = 0
    let present = 0
    const first = at
    for (; at < timestamps.length && timestamps[at]! <= times[window]!; at++) {
      const value = values[at]!
      if (Number.isNaN(value)) continue
      sum += value
      present++
    }
    means[window] = present > 0 ? sum / (at - first) : Number.NaN
  }
  return means
}

/**
 * Each point contributes to the windows that overlap its interval, in proportion. As intervals do
 * not overlap, the work is linear in points and windows.
 */
function alignDeltas(points: Points, times: Float64Array, period: number): Float64Array {
  const { timestamps } = points
  const startTimes = points.startTimes!
  const values = points.values[0] as Float64Array
  const sums = zeros(times.length).fill(Number.NaN)
  const counts = zeros(times.length)
  const last = times.length - 1
  for (let window = 0, at = 0; at < timestamps.length; at++) {
    const to = timestamps[at]!
    const from = startTimes[at]!
    while (window < last && times[window]! < to) window++
    if (to <= times[window]!) counts[window]!++
    const value = values[at]!
    if (Number.isNaN(value)) continue
    for (let into = window; into >= 0 && (into === window || times[into]! > from); into--) {
      const begin = into > 0 ? times[into - 1]! : times[0]! - period
      const inside = Math.min(to, times[into]!) - Math.max(from, begin)
      const part = to > from ? inside / (to - from) : to > begin && to <= times[into]! ? 1 : 0
      if (part <= 0) continue
      const sum = sums[into]!
      sums[into] = (Number.isNaN(sum) ? 0 : sum) + value * part
    }
  }
  for (let window = 0; window <= last; window++) sums[window]! /= Math.max(1, counts[window]!)
  return sums
}

/**
 * @param end of the query, which is the end of the last window
 * @param period milliseconds
 */
export async function meanWithin(
  table: Table,
  end: number,
  period: number,
  work: Work,
): Promise<Table> {
  if (table.columns.length !== 1) {
    throw new QueryError('Aligning multidimensional timeseries is not yet supported')
  }
  const [column] = table.columns as [Column]
  checkColumn(column)
  const counts = table.timeseries.map(({ points: { timestamps } }) => {
    checkGaps(timestamps, period)
    return windowsSince(timestamps[0]!, end, period)
  })
  work.make(counts.reduce((sum, count) => sum + count, 0))
  const means: Timeseries[] = []
  for (const [index, { fields, points }] of table.timeseries.entries()) {
    const count = counts[index]!
    work.look(2 * (points.timestamps.length + count))
    const timestamps = zeros(count)
    for (let at = 0; at < count; at++) timestamps[at] = end - (count - 1 - at) * period
    const values =
      column.metricType === 'delta'
        ? alignDeltas(points, timestamps, period)
        : alignGauges(points, timestamps)
    means.push({ fields, points: { timestamps, values: [values] } })
    await work.turn()
  }
  return {
    ...withTimeseries(table, means),
    columns: [aligned],
    period,
  }
}

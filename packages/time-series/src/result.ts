import type { FieldValue, Series } from '@steading/oxql'
import { datumAt, type Points, slicePoints } from './points.ts'

/** Index of the first time at or after a limit. */
function bisect(times: readonly number[], limit: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Points from a time to another, exclusive. */
export function between(points: Points, from: number, to: number): Points {
  const { timestamps } = points
  const begin = bisect(timestamps, from)
  const end = bisect(timestamps, to)
  return begin === 0 && end === timestamps.length ? points : slicePoints(points, begin, end)
}

/** A series for callers, assembled from its parts. */
export function seriesOf(fields: Record<string, FieldValue>, parts: readonly Points[]): Series {
  const timestamps: number[] = []
  const startTimes: number[] = []
  const values: Series['values'] = []
  const withStart = parts.some((part) => part.startTimes)
  for (const part of parts) {
    for (let index = 0; index < part.timestamps.length; index++) {
      const timestamp = part.timestamps[index]!
      timestamps.push(timestamp)
      if (withStart) startTimes.push(part.startTimes?.[index] ?? timestamp)
      values.push(datumAt(part, index))
    }
  }
  return withStart ? { fields, timestamps, startTimes, values } : { fields, timestamps, values }
}

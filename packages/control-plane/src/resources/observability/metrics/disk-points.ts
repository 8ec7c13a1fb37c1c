/** Reads and writes of a disk, for clients from before time series queries. */
import type { Wire } from '@steading/api'
import { timeseriesMessages } from '@steading/api/rules'
import { TooManyPoints } from '@steading/oxql'
import { fail } from '../../../kernel/errors.ts'
import { type TimeSeriesStore, TimeSeriesUnavailable } from '../../../kernel/ports/time-series.ts'
import type { Wanted } from './points.ts'

/** Most points read for a page; three months of one disk are fewer. */
const POINTS_MAX = 1_000_000

/**
 * @param name the time series; undefined for a metric that is never measured
 * @throws ApiError 503 without a readable store, 400 for a range with too many points
 */
export async function pointsOfDisk(
  store: TimeSeriesStore | undefined,
  diskId: string,
  name: string | undefined,
  { start, end, descending, limit }: Wanted,
): Promise<Wire.Measurement[]> {
  if (!store) throw fail.unavailable(timeseriesMessages.noStore)
  if (name === undefined) return []
  const where = [{ field: 'disk_id', comparison: '==' as const, value: diskId }]
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const found = await store.read({ name, where, from, to }, POINTS_MAX).catch((error: unknown) => {
    if (error instanceof TimeSeriesUnavailable) throw fail.unavailable(error.message)
    if (error instanceof TooManyPoints) throw fail.invalidRequest(error.message)
    throw error
  })
  // A disk has a series for each instance that it was attached to.
  const points = found.flatMap(({ timestamps, startTimes, values }) =>
    timestamps.map((time, index) => ({ time, since: startTimes![index]!, value: values[index]! })),
  )
  const order = descending ? -1 : 1
  return points
    .sort((a, b) => order * (a.time - b.time))
    .slice(0, limit)
    .map(({ time, since, value }) => ({
      timestamp: new Date(time).toISOString(),
      datum: datumOf(new Date(since).toISOString(), value as number | null),
    }))
}

const datumOf = (start_time: string, value: number | null): Wire.Datum =>
  value === null
    ? { type: 'missing', datum: { datum_type: 'cumulative_i64', start_time } }
    : { type: 'cumulative_i64', datum: { start_time, value } }

/** The last hour of several metrics at a glance, in one query. */
import type { OxqlQueryResult } from '@steading/api/client'
import { collectionSeconds } from '@steading/api/rules'
import type { Span } from '../../../ui/charts/zoom.ts'
import { type Metric, SAMPLED_EVERY, sumOf, ungroupedQueryOf } from './metric-queries.ts'

const HOUR_MS = 3_600_000
/** Milliseconds of one point. */
const POINT_MS = 60_000

/** A line that sums up metrics of one unit. */
export type LineOf = { label: string; metrics: readonly Metric[] }

/** Percent are of all vCPUs; the others are rates. */
export type LineUnit = '%' | 'B/s' | '/s'

export type Line = {
  label: string
  unit: LineUnit
  /** Milliseconds since the epoch. */
  times: number[]
  /** Null where nothing was measured; empty if nothing was. */
  values: (number | null)[]
}

const unitOf: Record<Metric['unit'], LineUnit> = { percent: '%', bytes: 'B/s', count: '/s' }

/** The last hour, in whole points, so that the same query is asked during one of them. */
export function lastHour(now: number): Span {
  const to = Math.floor(now / POINT_MS) * POINT_MS
  return { from: to - HOUR_MS, to }
}

/** One query with a table for each metric. */
export const lastHourQuery = (lines: readonly LineOf[], span: Span): string =>
  `{ ${lines
    .flatMap(({ metrics }) => metrics.map((metric) => ungroupedQueryOf(metric, span)))
    .join('; ')} }`

/** The sums of the metrics of each line over time. */
export const linesOf = (lines: readonly LineOf[], { tables }: OxqlQueryResult): Line[] =>
  lines.map(({ label, metrics }) => {
    const sums = new Map<number, number | null>()
    for (const { name, groupBy, unit } of metrics) {
      const answer = { tables: tables.filter((table) => table.name === name) }
      const { times, values, seriesCount } = sumOf(answer, groupBy)
      const size =
        unit === 'percent'
          ? (SAMPLED_EVERY * 1e9 * Math.max(1, seriesCount)) / 100
          : collectionSeconds(name)!
      for (const [index, time] of times.entries()) {
        const value = values[index] ?? null
        const before = sums.get(time) ?? null
        sums.set(time, value === null ? before : (before ?? 0) + value / size)
      }
    }
    const sorted = [...sums].toSorted(([a], [b]) => a - b)
    const measured = sorted.some(([, value]) => value !== null)
    return {
      label,
      unit: unitOf[metrics[0]!.unit],
      times: measured ? sorted.map(([time]) => time) : [],
      values: measured ? sorted.map(([, value]) => value) : [],
    }
  })

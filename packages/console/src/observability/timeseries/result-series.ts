/** The answer to a query, series by series. */
import type { FieldValue, OxqlQueryResult, Values } from '@steading/api/client'
import { collectionSeconds } from '@steading/api/rules'
import type { Span } from '../../ui/charts/zoom.ts'
import { type Schema, schemaOf } from './schemas.ts'

export type FieldType = FieldValue['type']
export type Field = { type: FieldType; value: string | number | boolean }

/** A value of a point; null if nothing was measured. */
export type Value = number | string | boolean | null

/** One line of a chart: a time series, or one of its percentiles. */
export type ResultSeries = {
  /** `target:metric` */
  metric: string
  /** Percentile of a distribution. */
  part?: 'p50' | 'p90' | 'p99'
  units: Schema['units']
  /** Seconds per counted value of a counter; undefined for gauges. */
  per?: number
  fields: Readonly<Record<string, Field>>
  /** Milliseconds since the epoch, ascending. */
  times: readonly number[]
  values: readonly Value[]
}

const parts = ['p50', 'p90', 'p99'] as const

type Read = { part?: ResultSeries['part']; values: Value[] }

function readValues({ values }: Values): Read[] {
  switch (values.type) {
    case 'integer_distribution':
    case 'double_distribution':
      return parts.map((part) => ({
        part,
        values: values.values.map((one) => one?.[part] ?? null),
      }))
    default:
      return [{ values: values.values }]
  }
}

export const medianOf = (numbers: number[]): number | undefined =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/**
 * Seconds covered by each value of a counter: the usual distance of its samples. An aligned
 * value is the mean over a window's samples; a window shorter than that distance holds a part
 * of one.
 */
function countedSeconds(
  metric: string,
  times: readonly number[],
  startTimes: readonly Date[] | null | undefined,
): number | undefined {
  const collected = collectionSeconds(metric)
  const distances = startTimes
    ? times.map((time, at) => time - new Date(startTimes[at]!).getTime())
    : times.slice(1).map((time, at) => time - times[at]!)
  const usual = medianOf(distances)
  const distance = usual === undefined ? undefined : Math.max(1, Math.round(usual / 1000))
  // The first difference contains everything since the start.
  if (startTimes && times.length > 1) return distance
  return distance && collected ? Math.min(distance, collected) : collected
}

/** @param range drops points before it, and differences that began before it */
export function seriesOf(
  { tables }: OxqlQueryResult,
  schemas: readonly Schema[],
  range?: Span,
): ResultSeries[] {
  return tables.flatMap(({ name, timeseries }) => {
    // A joined table is named after all of its metrics.
    const metrics = name.split(',')
    return timeseries.flatMap(({ fields, points }) => {
      // The client converts single times to dates, but not lists of times.
      const times = points.timestamps.map((time) => new Date(time).getTime())
      const kept = times.flatMap((time, at) => {
        const start = points.startTimes?.[at]
        const begins = start ? new Date(start).getTime() : time
        return !range || begins >= range.from ? [at] : []
      })
      const named = Object.fromEntries(
        Object.entries(fields).map(([key, field]) => [fieldName(key), field]),
      )
      return points.values.flatMap((dimension, index) => {
        const metric = metrics[index] ?? name
        const schema = schemaOf(schemas, metric)
        const per = schema?.datumType.startsWith('cumulative_')
          ? countedSeconds(metric, times, points.startTimes)
          : undefined
        return readValues(dimension).map(({ part, values }) => ({
          metric,
          ...(part && { part }),
          units: schema?.units ?? 'none',
          ...(per !== undefined && { per }),
          fields: named,
          times: kept.map((at) => times[at]!),
          values: kept.map((at) => values[at] ?? null),
        }))
      })
    })
  })
}

/** The name of a field. The client converts all keys of answers to camel case, including data. */
export const fieldName = (key: string): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

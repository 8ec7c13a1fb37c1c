/** The answer to a query, series by series. */
import type { FieldValue, OxqlQueryResult, Values } from '@steading/api/client'
import type { Span } from '../ui/charts/zoom.ts'
import type { Schema } from './schemas.ts'
import { schemaOf } from './schemas.ts'
import { fieldName } from './field-name.ts'

export type FieldType = FieldValue['type']
export type Field = { type: FieldType; value: string | number | boolean }

/** A value of a point; null if nothing was measured. */
export type Value = number | string | boolean | null

/** One line of a chart: a time series, and of several values in a point one of them. */
export type ResultSeries = {
  /** `target:metric` */
  metric: string
  /** Percentile of a distribution. */
  part?: 'p50' | 'p90' | 'p99'
  units: Schema['units']
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

/**
 * @param range drops points before it, and differences that began before it
 */
export function seriesOf(
  { tables }: OxqlQueryResult,
  schemas: readonly Schema[],
  range?: Span,
): ResultSeries[] {
  return tables.flatMap(({ name, timeseries }) => {
    // A joined table is named after all of its metrics.
    const metrics = name.split(',')
    return timeseries.flatMap(({ fields, points }) => {
      // The client makes dates of single times, not of lists of them.
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
        return readValues(dimension).map(({ part, values }) => ({
          metric,
          ...(part && { part }),
          units: schemaOf(schemas, metric)?.units ?? 'none',
          fields: named,
          times: kept.map((at) => times[at]!),
          values: kept.map((at) => values[at] ?? null),
        }))
      })
    })
  })
}

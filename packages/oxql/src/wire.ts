/** Encodes the answer to a query for the wire. */
import type { FieldType, FieldValue } from './model.ts'
import { quantile } from './quantile.ts'
import type {
  Distribution,
  MetricType,
  Points,
  Table,
  Timeseries,
  Values,
  ValueType,
} from './evaluation/table.ts'

export type WireDistribution = {
  bins: number[]
  counts: number[]
  min: number | null
  max: number | null
  sum_of_samples: number
  squared_mean: number
  p50: number | null
  p90: number | null
  p99: number | null
}

export type WireValues =
  | { type: 'integer' | 'double'; values: (number | null)[] }
  | { type: 'boolean'; values: (boolean | null)[] }
  | {
      type: 'integer_distribution' | 'double_distribution'
      values: (WireDistribution | null)[]
    }

export type WireTimeseries = {
  fields: Record<string, { type: FieldType; value: FieldValue }>
  points: {
    start_times: string[] | null
    timestamps: string[]
    values: { metric_type: MetricType; values: WireValues }[]
  }
}

export type WireResult = { tables: { name: string; timeseries: WireTimeseries[] }[] }

/** `SS.mmmZ` of each millisecond of a minute, computed on demand. */
const endings: string[] = []

const endingOf = (rest: number): string =>
  (endings[rest] ??= new Date(rest).toISOString().slice(17))

/** Formats times. Consecutive times mostly share the minute. */
class Clock {
  private minute = Number.NaN
  /** Text up to the minute, with a colon. */
  private beginning = ''

  texts(moments: Float64Array): string[] {
    return mapped(moments, (moment) => {
      const whole = Math.floor(moment)
      const minute = Math.floor(whole / 60_000)
      if (minute !== this.minute) {
        this.minute = minute
        this.beginning = new Date(minute * 60_000).toISOString().slice(0, -7)
      }
      return this.beginning + endingOf(whole - minute * 60_000)
    })
  }
}

/** A loop, because there may be a million. */
function mapped<T>(numbers: Float64Array, map: (number: number) => T): T[] {
  const results: T[] = []
  for (let at = 0; at < numbers.length; at++) results.push(map(numbers[at]!))
  return results
}

const toDistribution = (one: Distribution): WireDistribution => ({
  bins: one.bins,
  counts: one.counts,
  min: one.min,
  max: one.max,
  sum_of_samples: one.sumOfSamples,
  squared_mean: one.squaredMean,
  p50: quantile(one, 0.5),
  p90: quantile(one, 0.9),
  p99: quantile(one, 0.99),
})

/** JSON has no infinite numbers. */
const numbers = (values: Float64Array): (number | null)[] =>
  mapped(values, (value) => (Number.isFinite(value) ? value : null))

function toValues(type: ValueType, values: Values): WireValues {
  switch (type) {
    case 'integer':
    case 'double':
      return { type, values: numbers(values as Float64Array) }
    case 'boolean':
      return {
        type,
        values: mapped(values as Float64Array, (one) => (Number.isNaN(one) ? null : one !== 0)),
      }
    default: {
      const distributions = values as (Distribution | null)[]
      return { type, values: distributions.map((one) => one && toDistribution(one)) }
    }
  }
}

function toFields({ fieldTypes }: Table, { fields }: Timeseries): WireTimeseries['fields'] {
  const named = Array.from(fieldTypes, ([name, type]) => [name, { type, value: fields[name]! }])
  return Object.fromEntries(named) as WireTimeseries['fields']
}

const toPoints = (
  { columns }: Table,
  { startTimes, timestamps, values }: Points,
  clock: Clock,
): WireTimeseries['points'] => ({
  start_times: startTimes ? clock.texts(startTimes) : null,
  timestamps: clock.texts(timestamps),
  values: columns.map(({ metricType, valueType }, at) => ({
    metric_type: metricType,
    values: toValues(valueType, values[at]!),
  })),
})

export function toWire(tables: readonly Table[]): WireResult {
  const clock = new Clock()
  return {
    tables: tables.map((table) => ({
      name: table.name,
      timeseries: table.timeseries.map((one) => ({
        fields: toFields(table, one),
        points: toPoints(table, one.points, clock),
      })),
    })),
  }
}

/** What operations take and give: tables of timeseries, whose points are held in columns. */
import type { FieldType, FieldValue, TimeseriesSchema } from '../model.ts'
import { zeros } from './numbers.ts'

export type MetricType = 'gauge' | 'delta'
/** As the wire names them. */
export type ValueType =
  | 'integer'
  | 'double'
  | 'boolean'
  | 'integer_distribution'
  | 'double_distribution'

/** A histogram, as far as it is known of a difference between two. */
export type Distribution = {
  bins: number[]
  counts: number[]
  /** Null if it cannot be told. */
  min: number | null
  max: number | null
  sumOfSamples: number
  squaredMean: number
}

/** NaN is a missing number; a boolean is 0 or 1. */
export type Values = Float64Array | (Distribution | null)[]

export type Points = {
  /** Ascending. */
  timestamps: Float64Array
  /** Of deltas: when the interval of each point begins, which ends with its timestamp. */
  startTimes?: Float64Array
  /** One for each column of the table. */
  values: Values[]
}

export type Timeseries = { fields: Record<string, FieldValue>; points: Points }

export type Column = { metricType: MetricType; valueType: ValueType }

/** What alignment makes of any column. */
export const aligned: Column = { metricType: 'gauge', valueType: 'double' }

export type Table = {
  name: string
  /** By name, sorted. */
  fieldTypes: ReadonlyMap<string, FieldType>
  /** One for each table that was joined. */
  columns: Column[]
  /** If its points are at equal distances from the end of the query: milliseconds between them. */
  period?: number
  timeseries: Timeseries[]
}

export const valueTypes = {
  bool: 'boolean',
  i64: 'integer',
  u64: 'integer',
  f32: 'double',
  f64: 'double',
  cumulative_u64: 'integer',
  cumulative_f64: 'double',
  histogram_u64: 'integer_distribution',
  histogram_f64: 'double_distribution',
} as const satisfies Record<TimeseriesSchema['datumType'], ValueType>

export const isCumulative = (type: TimeseriesSchema['datumType']): boolean =>
  type.startsWith('cumulative') || isHistogram(type)

export const isHistogram = (type: TimeseriesSchema['datumType']): boolean =>
  type.startsWith('histogram')

export const fieldTypesOf = ({ fields }: TimeseriesSchema): Map<string, FieldType> =>
  new Map(
    fields
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, fieldType }) => [name, fieldType]),
  )

export const lengthOf = ({ timestamps }: Points): number => timestamps.length

/** A part of the points that is in one piece. */
export function slice(
  { timestamps, startTimes, values }: Points,
  from: number,
  to: number,
): Points {
  return {
    timestamps: timestamps.subarray(from, to),
    startTimes: startTimes?.subarray(from, to),
    values: values.map((one) =>
      one instanceof Float64Array ? one.subarray(from, to) : one.slice(from, to),
    ),
  }
}

function pickNumbers(from: Float64Array, indexes: Int32Array): Float64Array {
  const picked = zeros(indexes.length)
  for (let at = 0; at < indexes.length; at++) picked[at] = from[indexes[at]!]!
  return picked
}

/** The points at some places, in ascending order. */
export function pick({ timestamps, startTimes, values }: Points, indexes: Int32Array): Points {
  return {
    timestamps: pickNumbers(timestamps, indexes),
    startTimes: startTimes && pickNumbers(startTimes, indexes),
    values: values.map((one) =>
      one instanceof Float64Array
        ? pickNumbers(one, indexes)
        : Array.from(indexes, (index) => one[index]!),
    ),
  }
}

/** The table with what is left of its timeseries; those without points vanish. */
export const withTimeseries = (table: Table, timeseries: Timeseries[]): Table => ({
  ...table,
  timeseries: timeseries.filter(({ points }) => lengthOf(points) > 0),
})

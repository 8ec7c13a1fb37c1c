/** Operands of operations: tables of timeseries with columns of points. */
import type { FieldType, FieldValue, TimeseriesSchema } from '../model.ts'
import { zeros } from './numbers.ts'

export type MetricType = 'gauge' | 'delta'
/** Names on the wire. */
export type ValueType =
  | 'integer'
  | 'double'
  | 'boolean'
  | 'integer_distribution'
  | 'double_distribution'

/** A histogram, or the known parts of a difference of two. */
export type Distribution = {
  bins: number[]
  counts: number[]
  /** Null if unknown. */
  min: number | null
  max: number | null
  sumOfSamples: number
  squaredMean: number
}

/** NaN is a missing number; a boolean is 0 or 1. */
export type Values = Float64Array | (Distribution | null)[]

export type Points = {
  /** Ascending timestamps. */
  timestamps: Float64Array
  /** Start of each point's interval, for deltas; it ends with the timestamp. */
  startTimes?: Float64Array
  /** One per column of the table. */
  values: Values[]
}

export type Timeseries = { fields: Record<string, FieldValue>; points: Points }

export type Column = { metricType: MetricType; valueType: ValueType }

/** Column type after an alignment. */
export const aligned: Column = { metricType: 'gauge', valueType: 'double' }

export type Table = {
  name: string
  /** Sorted by name. */
  fieldTypes: ReadonlyMap<string, FieldType>
  /** One per joined table. */
  columns: Column[]
  /** Milliseconds between points at equal distances from the end of the query, if aligned. */
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

/** A contiguous range of points. */
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

/** The points at some indexes, in ascending order. */
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

/** The table with other timeseries; timeseries without points are dropped. */
export const withTimeseries = (table: Table, timeseries: Timeseries[]): Table => ({
  ...table,
  timeseries: timeseries.filter(({ points }) => lengthOf(points) > 0),
})

/**
 * The data model of time series, shared by collectors, stores and queries.
 *
 * Times are milliseconds since the epoch. Numbers are JavaScript's: a counter must restart (with a
 * new start time) before it passes 2^53, which a counter of nanoseconds does after 104 days.
 */
import type { AuthzScope, DatumType, FieldType, Unit } from '@steading/api/timeseries'

export type { AuthzScope, DatumType, FieldType, Unit }

/** Value of a field: a number for integers, canonical text for addresses and UUIDs. */
export type FieldValue = string | number | boolean

export type FieldSchema = {
  name: string
  fieldType: FieldType
  source: 'target' | 'metric'
  description: string
}

/** Schema of a metric and its target: one row of the table of schemas. */
export type TimeseriesSchema = {
  /** `target:metric` */
  name: string
  description: { target: string; metric: string }
  /** Sorted by name. */
  fields: FieldSchema[]
  datumType: DatumType
  units: Unit
  authzScope: AuthzScope
}

/**
 * Counts of samples by size. `bins` are the lower bounds, ascending; the last bin has no upper
 * bound. A histogram is cumulative: its counts only grow until it restarts.
 */
export type Histogram = {
  bins: number[]
  counts: number[]
  min: number
  max: number
  sumOfSamples: number
  /** Sum of the squared deviations from the mean, by Welford's algorithm. */
  squaredMean: number
}

/** A boolean is 0 or 1. */
export type Datum = number | Histogram

/** One time series: a schema's name and one value for each of its fields. */
export type SeriesKey = { name: string; fields: Record<string, FieldValue> }

export type Sample = SeriesKey & {
  timestamp: number
  /** Start of the counter or histogram at zero; undefined for gauges. */
  startTime?: number
  /** Null if a measurement was due but failed. */
  datum: Datum | null
}

/** The stored points of one time series, by strictly ascending timestamp. */
export type Series = {
  fields: Record<string, FieldValue>
  timestamps: number[]
  /** Start time of each point; undefined for gauges. */
  startTimes?: number[]
  values: (Datum | null)[]
}

export type Comparison = '==' | '!=' | '>=' | '>' | '<=' | '<' | '~='

/** A condition on a field; `~=` is an RE2 regular expression that matches anywhere. */
export type FieldCondition = {
  field: string
  comparison: Comparison
  value: FieldValue
  /** For `~=`: the compiled expression, which charges the cost of matching to its query. */
  matches?: (text: string) => boolean
}

/** Selects points of time series. */
export type Selection = {
  name: string
  /** All conditions must be met. */
  where: FieldCondition[]
  /** Inclusive; undefined for no bound. */
  from?: number
  /** Exclusive; undefined for no bound. */
  to?: number
}

/** Source of a query's points. */
export interface SeriesSource {
  /** Undefined for an unknown name. */
  schema: (name: string) => TimeseriesSchema | undefined
  /**
   * All series that have points in the selection, in any order. Values of counters are as stored:
   * computing differences is up to the reader.
   *
   * @throws TooManyPoints if more than `maxPoints` points would have to be read
   */
  read: (selection: Selection, maxPoints: number) => Promise<Series[]>
}

/** The selection has more points than the reader allows. */
export class TooManyPoints extends Error {
  override name = 'TooManyPoints'
}

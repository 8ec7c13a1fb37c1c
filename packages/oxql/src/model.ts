/**
 * The data model of time series, shared by the collectors that write samples, the stores that keep them and the queries.
 *
 * Times are milliseconds since the epoch. Numbers are JavaScript's: a counter must start anew (with
 * a new start time) before it passes 2^53, which a counter of nanoseconds does after 104 days.
 */
import type { AuthzScope, DatumType, FieldType, Unit } from '@steading/api/timeseries'

export type { AuthzScope, DatumType, FieldType, Unit }

/** A field's value: a number for the integers, text in its canonical form for addresses and UUIDs. */
export type FieldValue = string | number | boolean

export type FieldSchema = {
  name: string
  fieldType: FieldType
  source: 'target' | 'metric'
  description: string
}

/** What is measured, and of what: one row of the table of schemas. */
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
 * Counts of samples by their size. `bins` are the lower bounds, ascending; the last bin has no upper
 * bound. A histogram is cumulative: its counts only grow until it starts anew.
 */
export type Histogram = {
  bins: number[]
  counts: number[]
  min: number
  max: number
  sumOfSamples: number
  /** Sum of the squared distances from the mean, as of Welford's algorithm. */
  squaredMean: number
}

/** A boolean is 0 or 1. */
export type Datum = number | Histogram

/** One time series: a schema's name and one value for each of its fields. */
export type SeriesKey = { name: string; fields: Record<string, FieldValue> }

export type Sample = SeriesKey & {
  timestamp: number
  /** When the counter or histogram began at zero; undefined for gauges. */
  startTime?: number
  /** Null if a measurement was due and could not be made. */
  datum: Datum | null
}

/** The stored points of one time series, by ascending timestamp, which no two points share. */
export type Series = {
  fields: Record<string, FieldValue>
  timestamps: number[]
  /** Of each point; undefined for gauges. */
  startTimes?: number[]
  values: (Datum | null)[]
}

export type Comparison = '==' | '!=' | '>=' | '>' | '<=' | '<' | '~='

/** What must hold for a field; `~=` is a regular expression of RE2 that matches anywhere. */
export type FieldCondition = {
  field: string
  comparison: Comparison
  value: FieldValue
  /** Of `~=`: the expression, compiled and matched at the cost of its query. */
  matches?: (text: string) => boolean
}

/** Which points of which time series are wanted. */
export type Selection = {
  name: string
  /** A series must meet all of them. */
  where: FieldCondition[]
  /** Inclusive; undefined for no bound. */
  from?: number
  /** Exclusive; undefined for no bound. */
  to?: number
}

/** Where queries get their points from. */
export interface SeriesSource {
  /** Undefined for an unknown name. */
  schema: (name: string) => TimeseriesSchema | undefined
  /**
   * All series that have points in the selection, in any order. A counter's value is as stored:
   * differences are the reader's to make.
   *
   * @throws TooManyPoints if more than `maxPoints` points would have to be read
   */
  read: (selection: Selection, maxPoints: number) => Promise<Series[]>
}

/** More points would have to be read than the reader allows. */
export class TooManyPoints extends Error {
  override name = 'TooManyPoints'
}

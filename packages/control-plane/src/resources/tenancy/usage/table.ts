import type { UsageMetric } from '@steading/api/rules'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/**
 * Use of one sort by one resource, in an interval. Records of a resource and a metric do not overlap.
 * Times are milliseconds since 1970, by the clock of the database.
 */
export interface UsageRecordTable {
  thing_id: string
  metric: UsageMetric
  time_start: number
  /** `GOES_ON` while it goes on. */
  time_end: number
  /** In the unit of the metric: a count, or GiB. */
  amount: number
  /** Name of the resource when the interval began. */
  name: string
  silo_id: string
  /** Null for what belongs to the silo itself. */
  project_id: string | null
  /** JSON: key → value of the tags of the resource in the interval. */
  tags: string
}

/** Last name of a purged silo or project. */
export interface UsagePlaceTable {
  id: string
  kind: 'silo' | 'project'
  name: string
  silo_id: string | null
  /** Milliseconds since 1970. */
  time_purged: number
}

/** End of records that go on: the latest time of a `Date`. */
export const GOES_ON = 8_640_000_000_000_000

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    usage_record: UsageRecordTable
    usage_place: UsagePlaceTable
  }
}

const disjoint = {
  mayBeAhead: 'by the clock of the database; records of a resource must not overlap',
}

export const usageTables: StoredTables = {
  usage_record: { times: { time_start: disjoint, time_end: disjoint } },
  usage_place: { times: { time_purged: { numberOf: (now) => now.getTime() } } },
}

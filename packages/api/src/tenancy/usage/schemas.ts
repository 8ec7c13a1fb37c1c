import {
  answerText,
  boolean,
  dateTime,
  list,
  named,
  oneOf,
  record,
  string,
  text,
  uuid,
} from '../../schema.ts'
import { isDay, usageGroupings, usageMessages, usageMetrics } from './rules.ts'

/** A day of the calendar, `YYYY-MM-DD`. */
export const Day = named(
  'Day',
  text(10, { format: 'date' }, (value) => (isDay(value) ? undefined : usageMessages.day)),
)
export const UsageGrouping = named('UsageGrouping', oneOf(...usageGroupings))
export const UsageMetric = named('UsageMetric', oneOf(...usageMetrics))

/** A decimal number as text, without an exponent, because it may be more exact than a double. */
const Decimal = named('Decimal', answerText({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' }))

/** Use of one sort. */
const UsageAmount = record('UsageAmount', {
  metric: UsageMetric,
  /** Hours of the unit of the metric, such as vCPU hours, rounded half up to nine decimals. */
  quantity: Decimal,
  /** In the currency of the report, rounded once from the exact sum; null without prices. */
  cost: Decimal.nullable(),
})
const UsageAmounts = list(UsageAmount)

/** A silo or a project. After its deletion it has its last name. */
const UsagePlace = record('UsagePlace', {
  id: uuid,
  /** Null if it was deleted before its name could be recorded. */
  name: string.nullable(),
  deleted: boolean,
})

const UsageLine = record('UsageLine', {
  /** Null in a line of the total. */
  silo: UsagePlace.nullable(),
  /** Null in lines of silos, and for what belongs to no project, such as images of the silo. */
  project: UsagePlace.nullable(),
  /**
   * Value of the tag that resources had at the time, empty for a key alone; null without that tag,
   * and if the report is not grouped by a tag.
   */
  tag_value: string.nullable(),
  amounts: UsageAmounts,
  /** The sum of the costs, rounded once. */
  cost: Decimal.nullable(),
})

const UsageDay = record('UsageDay', { day: Day, amounts: UsageAmounts, cost: Decimal.nullable() })

/** Use in a range of days, by silos, projects or the values of a tag. */
export const UsageReport = record('UsageReport', {
  first_day: Day,
  last_day: Day,
  time_zone: string,
  /** Start of the first day. */
  time_start: dateTime,
  /** End of the last day, or the moment of the report if that is earlier; what goes on counts up to it. */
  time_end: dateTime,
  /**
   * Since then, use is recorded as it changes. Use before that is derived from the resources that
   * existed at that time: instances count from their last change of state, the others from their
   * creation, with the tags of that time; deleted resources are missing.
   */
  time_recorded_since: dateTime,
  /** ISO 4217; null if there is no price list, or the caller may not see costs. */
  currency: string.nullable(),
  /** Use before that day, UTC, has no price, and costs nothing; null without prices. */
  priced_since: Day.nullable(),
  group_by: UsageGrouping,
  lines: list(UsageLine),
  /** From the exact sums, so it can differ from the sum of rounded lines by the last digit. */
  total: record('UsageTotal', { amounts: UsageAmounts, cost: Decimal.nullable() }),
  days: list(UsageDay),
})

/** Lines of CSV: a record each, with its interval within the days, and its resource. */
export const UsageRecords = named('UsageRecords', string)

import {
  alertComparisons,
  alertSeverities,
  resolutions,
  seriesStates,
  TRIAL_HOURS_MAX,
} from './rules.ts'
import { alertRuleStates } from './states.ts'
import {
  answerMap,
  anything,
  boolean,
  dateTime,
  double,
  identity,
  identityCreate,
  identityUpdate,
  integer,
  list,
  longText,
  named,
  oneOf,
  record,
  string,
  TagFilter,
  uint32,
  uuid,
} from '../../schema.ts'

export const AlertComparison = named('AlertComparison', oneOf(...alertComparisons))
export const AlertSeverity = named('AlertSeverity', oneOf(...alertSeverities))
export const AlertRuleState = named('AlertRuleState', oneOf(...alertRuleStates))
const AlertSeriesState = named('AlertSeriesState', oneOf(...seriesStates))
const AlertResolution = named('AlertResolution', oneOf(...resolutions))

const condition = {
  /** OxQL without conditions on timestamps. */
  query: longText,
  comparison: AlertComparison,
  /** In the unit of the measurement; null for missing values. */
  threshold: double.nullable(),
  /** Seconds. */
  duration: uint32,
}
/**
 * Limits a rule to the series of resources that have all these tags when it is evaluated: those with
 * their id in a field, such as an instance or a disk. Null for all resources.
 */
const tag_filter = TagFilter.nullable()

export const AlertRule = record('AlertRule', {
  ...identity,
  /** Null for a system rule. */
  project_id: uuid.nullable(),
  ...condition,
  tag_filter,
  /**
   * Units of the values; for counters with the seconds that each value covers, such as `bytes/10s`.
   * Null for a query of several metrics.
   */
  units: string.nullable(),
  severity: AlertSeverity,
  enabled: boolean,
  state: AlertRuleState,
  /** Time of the last state change. */
  time_state_updated: dateTime,
  time_evaluated: dateTime.nullable(),
  /**
   * Reason that it cannot be evaluated; its state is then `failing`. A rule whose query is too
   * expensive is disabled.
   */
  problem: string.nullable(),
  /** Number of series in each of these states. */
  series: uint32,
  firing: uint32,
  pending: uint32,
})

export const AlertRuleCreate = record('AlertRuleCreate', {
  ...identityCreate,
  ...condition,
  tag_filter: tag_filter.optional(),
  severity: AlertSeverity,
  enabled: boolean.default(true),
})

/** Absent fields remain unchanged. */
export const AlertRuleUpdate = record('AlertRuleUpdate', {
  ...identityUpdate,
  query: longText.nullable().optional(),
  comparison: AlertComparison.nullable().optional(),
  /** Null removes the threshold, as a rule about missing values requires. */
  threshold: double.nullable().optional(),
  duration: uint32.nullable().optional(),
  /** Null removes the limit. */
  tag_filter: tag_filter.optional(),
  severity: AlertSeverity.nullable().optional(),
  enabled: boolean.nullable().optional(),
})

/** Field values: text, numbers and booleans. */
const fields = answerMap(anything)

const AlertRuleSeries = record('AlertRuleSeries', {
  fields,
  state: AlertSeriesState,
  /**
   * Start of the state: when the threshold was first exceeded, or the last value of a series
   * without data.
   */
  time_since: dateTime,
  /** Time at which it started to fire. */
  time_fired: dateTime.nullable(),
  value: double.nullable(),
  time_value: dateTime.nullable(),
})
export const AlertRuleSeriesList = record('AlertRuleSeriesList', { items: list(AlertRuleSeries) })

const firing = {
  fields,
  /** Time at which the threshold was first exceeded. */
  time_since: dateTime,
  time_fired: dateTime,
  time_resolved: dateTime.nullable(),
  resolution: AlertResolution.nullable(),
  /** Value that made it fire; null for missing values. */
  value: double.nullable(),
}
export const AlertRuleFiring = record('AlertRuleFiring', { id: uuid, ...firing })

/** A rule with firing series, among those that the caller asked for. */
const FiringAlert = record('FiringAlert', {
  rule_id: uuid,
  rule_name: string,
  description: string,
  severity: AlertSeverity,
  /** Null for a system rule. */
  project_id: uuid.nullable(),
  project_name: string.nullable(),
  comparison: AlertComparison,
  threshold: double.nullable(),
  duration: uint32,
  tag_filter,
  units: string.nullable(),
  /** Number of firing series. */
  series: uint32,
  /** Time at which the first of them fired. */
  time_fired: dateTime,
})
export const FiringAlerts = record('FiringAlerts', {
  /** Worst first, then oldest first. */
  items: list(FiringAlert),
  more: boolean,
})

export const AlertRuleTrial = record('AlertRuleTrial', {
  ...condition,
  tag_filter: tag_filter.optional(),
  /** Hours to look back. */
  hours: integer(
    'uint32',
    `a number of hours from 1 to ${TRIAL_HOURS_MAX}`,
    1,
    TRIAL_HOURS_MAX,
  ).default(TRIAL_HOURS_MAX),
})

const TrialFiring = record('AlertRuleTrialFiring', {
  time_since: dateTime,
  time_fired: dateTime,
  time_resolved: dateTime.nullable(),
})
const TrialSeries = record('AlertRuleTrialSeries', {
  fields,
  state: AlertSeriesState,
  value: double.nullable(),
  firings: list(TrialFiring),
  /** Only for the first series. */
  points: record('AlertRuleTrialPoints', {
    timestamps: list(dateTime),
    /** Where points were merged, the value closest to the threshold or furthest beyond it. */
    values: list(double.nullable()),
  }).nullable(),
})
export const AlertRuleTrialResult = record('AlertRuleTrialResult', {
  units: string.nullable(),
  time_from: dateTime,
  time_to: dateTime,
  /** Number of firings of all series during the trial. */
  firings: uint32,
  series: list(TrialSeries),
})

import {
  alertComparisons,
  alertRuleStates,
  alertSeverities,
  resolutions,
  seriesStates,
  TRIAL_HOURS_MAX,
} from './rules.ts'
import {
  anything,
  array,
  boolean,
  dateTime,
  double,
  identity,
  identityCreate,
  identityUpdate,
  integer,
  map,
  named,
  oneOf,
  record,
  resultsPage,
  string,
  uint32,
  uuid,
} from '../../schema.ts'

export const AlertComparison = named('AlertComparison', oneOf(...alertComparisons))
export const AlertSeverity = named('AlertSeverity', oneOf(...alertSeverities))
export const AlertRuleState = named('AlertRuleState', oneOf(...alertRuleStates))
const AlertSeriesState = named('AlertSeriesState', oneOf(...seriesStates))
const AlertResolution = named('AlertResolution', oneOf(...resolutions))

const condition = {
  /** OxQL, without conditions on times. */
  query: string,
  comparison: AlertComparison,
  /** In the unit of what is measured; null for missing values. */
  threshold: double.nullable(),
  /** Seconds. */
  duration: uint32,
}

export const AlertRule = record('AlertRule', {
  ...identity,
  /** Null for a rule of the system. */
  project_id: uuid.nullable(),
  ...condition,
  /**
   * Of the values; of counters with the seconds that each counts, such as `bytes/10s`. Null if the query
   * is about several metrics.
   */
  units: string.nullable(),
  severity: AlertSeverity,
  enabled: boolean,
  state: AlertRuleState,
  /** Since when it is in that state. */
  time_state_updated: dateTime,
  time_evaluated: dateTime.nullable(),
  /**
   * Why it cannot be evaluated; its state is then `failing`. A rule whose query takes too much work is
   * disabled.
   */
  problem: string.nullable(),
  /** How many series there are in these states. */
  series: uint32,
  firing: uint32,
  pending: uint32,
})

export const AlertRuleCreate = record('AlertRuleCreate', {
  ...identityCreate,
  ...condition,
  severity: AlertSeverity,
  enabled: boolean.default(true),
})

/** What is absent stays as it is. */
export const AlertRuleUpdate = record('AlertRuleUpdate', {
  ...identityUpdate,
  query: string.nullable().optional(),
  comparison: AlertComparison.nullable().optional(),
  /** Null takes the threshold away, as a rule about missing values needs it. */
  threshold: double.nullable().optional(),
  duration: uint32.nullable().optional(),
  severity: AlertSeverity.nullable().optional(),
  enabled: boolean.nullable().optional(),
})

/** Values of fields: texts, numbers and booleans. */
const fields = map(anything)

const AlertRuleSeries = record('AlertRuleSeries', {
  fields,
  state: AlertSeriesState,
  /** Since when: when the threshold was first passed, or the last value of a series without data. */
  time_since: dateTime,
  /** When it began to fire. */
  time_fired: dateTime.nullable(),
  value: double.nullable(),
  time_value: dateTime.nullable(),
})
export const AlertRuleSeriesList = record('AlertRuleSeriesList', { items: array(AlertRuleSeries) })

const firing = {
  fields,
  /** When the threshold was first passed. */
  time_since: dateTime,
  time_fired: dateTime,
  time_resolved: dateTime.nullable(),
  resolution: AlertResolution.nullable(),
  /** The value with which it began to fire; null for missing values. */
  value: double.nullable(),
}
const AlertRuleFiring = record('AlertRuleFiring', { id: uuid, ...firing })
export const AlertRuleFiringResultsPage = resultsPage('AlertRuleFiring', AlertRuleFiring)

/** A rule of which series fire, as far as the caller asked for them. */
const FiringAlert = record('FiringAlert', {
  rule_id: uuid,
  rule_name: string,
  description: string,
  severity: AlertSeverity,
  /** Null for a rule of the system. */
  project_id: uuid.nullable(),
  project_name: string.nullable(),
  comparison: AlertComparison,
  threshold: double.nullable(),
  duration: uint32,
  units: string.nullable(),
  /** Series that fire. */
  series: uint32,
  /** When the first of them began to. */
  time_fired: dateTime,
})
export const FiringAlerts = record('FiringAlerts', {
  /** The worst first, and of these the oldest. */
  items: array(FiringAlert),
  more: boolean,
})

export const AlertRuleTrial = record('AlertRuleTrial', {
  ...condition,
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
  firings: array(TrialFiring),
  /** Absent beyond the first series. */
  points: record('AlertRuleTrialPoints', {
    timestamps: array(dateTime),
    /** Where several points were merged, the one that is nearest to the threshold or furthest past it. */
    values: array(double.nullable()),
  }).nullable(),
})
export const AlertRuleTrialResult = record('AlertRuleTrialResult', {
  units: string.nullable(),
  time_from: dateTime,
  time_to: dateTime,
  /** How often the rule would have fired, over all series. */
  firings: uint32,
  series: array(TrialSeries),
})

/**
 * Alert rules: a query of time series, a threshold, and the time for which it has to be exceeded.
 * The control plane evaluates the points (`alert-rules/evaluate-series.ts` there).
 */
import { counted } from '../issues/rules.ts'
import { amountWords } from '../../rules/units.ts'

/** Comparisons of values with the threshold. `no_data`: there are no values at all. */
export const alertComparisons = ['above', 'below', 'no_data'] as const
export type AlertComparison = (typeof alertComparisons)[number]

/** Worst first; the same words as for issues. */
export const alertSeverities = ['critical', 'warning'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** State of one series of a rule. */
export const seriesStates = ['ok', 'pending', 'firing', 'no_data'] as const
export type SeriesState = (typeof seriesStates)[number]

/** Reasons for resolving an alert. */
export const resolutions = ['passed', 'no_data', 'changed', 'disabled', 'deleted'] as const
export type Resolution = (typeof resolutions)[number]

/** Evaluation interval of a rule in milliseconds. */
export const RULE_INTERVAL_MS = 15_000
/** Milliseconds between two rounds; each evaluates the due rules. */
export const RULE_ROUND_MS = 5_000
/** Milliseconds after which a round leaves its remaining rules to the next one. */
export const RULE_ROUND_MAX_MS = 2_500
/** Pause of a slow rule before its next evaluation, as a multiple of the evaluation time. */
export const RULE_REST_FACTOR = 20
/** Time limit of a rule's evaluation in milliseconds. */
export const RULE_TIME_MAX_MS = 5_000
/** Maximum number of points per evaluation. */
export const RULE_POINTS_MAX = 300_000
/** Maximum number of series of a rule. */
export const RULE_SERIES_MAX = 200
/** Maximum number of rules of a project, and of the system. */
export const ALERT_RULES_MAX = 200
/** Maximum `duration` of a rule in seconds. */
export const RULE_DURATION_MAX = 24 * 60 * 60
/** Minimum `duration` of a rule about missing values in seconds. */
export const NO_DATA_DURATION_MIN = 120
/** Milliseconds after which a series without points counts as having no data. */
export const STALE_MS = 5 * 60_000
/** Milliseconds after which a series without points is forgotten. */
export const SERIES_KEPT_MS = 24 * 60 * 60_000
/** Milliseconds of the past that a server evaluates after downtime. */
export const RULE_LOOK_BACK_MAX_MS = 60 * 60_000
/** Hours that a trial of a rule looks back: maximum and default. */
export const TRIAL_HOURS_MAX = 24
/** Series whose points a trial returns, and points of each. */
export const TRIAL_SERIES_MAX = 20
export const TRIAL_POINTS_MAX = 720
/** Series named in an alert; the rest are only counted. */
export const ALERT_SERIES_MAX = 20
/** Days that firings are kept after they have been resolved. */
export const FIRINGS_KEPT_DAYS = 30
export const FIRINGS_KEPT_MS = FIRINGS_KEPT_DAYS * 24 * 60 * 60 * 1000

export const alertRuleMessages = {
  oneTable:
    'A rule needs a query with one table, so it can ask for one metric, or group several into one',
  oneNumber: 'A rule needs one number per point, but a join has several',
  noNumber: 'A rule needs one number per point, which a distribution is not',
  time: 'A rule always evaluates the latest points, so its query must not filter by timestamp',
  limited: (operation: string) =>
    `A rule evaluates all points, so its query must not have "${operation}"`,
  tooManySeries: `The query has more than ${RULE_SERIES_MAX} series. Filter or group them.`,
  tookTooLong: `The evaluation took longer than ${RULE_TIME_MAX_MS / 1000} seconds`,
  tooManyRules: `there may be at most ${ALERT_RULES_MAX} alert rules in a place`,
  threshold: 'a rule about values needs a threshold',
  noThreshold: 'a rule about missing values has no threshold',
  thresholdNumber: 'the threshold must be a finite number',
  duration: `the duration must be at most ${RULE_DURATION_MAX} seconds`,
  noDataDuration: `values must be missing for at least ${NO_DATA_DURATION_MIN} seconds`,
} as const

/** Problem with the numbers of a rule; undefined if they are valid. */
export function alertRuleProblem(rule: {
  comparison: AlertComparison
  threshold: number | null
  duration: number
}): { field: 'threshold' | 'duration'; message: string } | undefined {
  const { comparison, threshold, duration } = rule
  const says = alertRuleMessages
  if (comparison === 'no_data') {
    if (threshold !== null) return { field: 'threshold', message: says.noThreshold }
    if (duration < NO_DATA_DURATION_MIN) return { field: 'duration', message: says.noDataDuration }
  } else if (threshold === null) {
    return { field: 'threshold', message: says.threshold }
  } else if (!Number.isFinite(threshold)) {
    return { field: 'threshold', message: says.thresholdNumber }
  }
  if (duration > RULE_DURATION_MAX) return { field: 'duration', message: says.duration }
  return undefined
}

const unitsOfTime = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** `90` → `90 seconds`, `120` → `2 minutes`. */
export function durationWords(seconds: number): string {
  const [length, word] = unitsOfTime.find(([unit]) => seconds > 0 && seconds % unit === 0) ?? [
    1,
    'second',
  ]
  return counted(seconds / length, word)
}

/** `env:prod,backup` → ` on resources with env:prod and backup`. */
const tagWords = (filter: string | null): string =>
  filter === null ? '' : ` on resources with ${filter.replaceAll(',', ' and ')}`

/**
 * `above 2 GiB for 5 minutes`, `no data for 2 minutes on resources with env:prod`.
 * @param filter the tags to which the rule is limited, separated by commas
 */
export function conditionWords(
  rule: {
    comparison: AlertComparison
    threshold: number | null
    duration: number
    units: string | null
  },
  filter: string | null,
): string {
  const { comparison, threshold, duration, units } = rule
  const held = duration > 0 ? ` for ${durationWords(duration)}` : ''
  const where = tagWords(filter)
  if (comparison === 'no_data' || threshold === null) return `no data${held}${where}`
  return `${comparison} ${amountWords(threshold, units)}${held}${where}`
}

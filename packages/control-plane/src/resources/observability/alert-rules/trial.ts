/** Trial of a rule: its present state, and its firings in the last hours if it had existed. */
import type { Wire } from '@steading/api'
import { alertRuleProblem, TRIAL_POINTS_MAX, TRIAL_SERIES_MAX } from '@steading/api/rules'
import { POINTS_MAX } from '@steading/oxql'
import { fail } from '../../../kernel/errors.ts'
import type { TimeseriesQueries } from '../timeseries/query.ts'
import { conditionOf, evaluateAllSeries } from './evaluate.ts'
import type { SeriesChange } from './firings.ts'
import { type FoundSeries, parseRuleQuery, type Reading, readSeries } from './rule-query.ts'
import { iso } from './wire.ts'

const HOUR_MS = 3_600_000

/** @throws ApiError 400 for an invalid rule */
export function requireCondition(rule: Parameters<typeof alertRuleProblem>[0]): void {
  const problem = alertRuleProblem(rule)
  if (problem) throw fail.invalidValue(problem.field, problem.message)
}

/**
 * The points for a chart. If there are too many, each group of neighbors is represented by the one
 * furthest past the threshold, or nearest to it.
 */
function chartOf(
  { timestamps, values }: FoundSeries,
  above: boolean,
): NonNullable<Wire.AlertRuleTrialSeries['points']> {
  const size = Math.ceil(timestamps.length / TRIAL_POINTS_MAX)
  const times: string[] = []
  const numbers: (number | null)[] = []
  for (let begin = 0; begin < timestamps.length; begin += size) {
    let best = begin
    for (let at = begin + 1; at < Math.min(begin + size, timestamps.length); at++) {
      const [value, other] = [values[at]!, values[best]!]
      if (Number.isNaN(other) || (above ? value > other : value < other)) best = at
    }
    times.push(iso(timestamps[best]!))
    numbers.push(Number.isFinite(values[best]!) ? values[best]! : null)
  }
  return { timestamps: times, values: numbers }
}

/** The times at which a series would have fired. */
function firingsOf(changes: readonly SeriesChange[], key: string): Wire.AlertRuleTrialFiring[] {
  const firings: Wire.AlertRuleTrialFiring[] = []
  for (const { key: its, change } of changes) {
    if (its !== key) continue
    if (change.kind === 'fired') {
      const { at, since } = change
      firings.push({ time_since: iso(since), time_fired: iso(at), time_resolved: null })
    } else {
      firings.at(-1)!.time_resolved = iso(change.at)
    }
  }
  return firings
}

/** @throws ApiError 400 for an invalid rule, or one that takes too long; 503 without time series */
export async function tryRule(
  queries: TimeseriesQueries,
  rule: Wire.AlertRuleTrial,
  { scope, only }: Pick<Reading, 'scope' | 'only'>,
  now: Date,
  client: AbortSignal,
): Promise<Wire.AlertRuleTrialResult> {
  const threshold = rule.threshold ?? null
  requireCondition({ ...rule, threshold })
  const query = await parseRuleQuery(rule.query, scope, now)
  const to = now.getTime()
  const from = to - rule.hours! * HOUR_MS
  const reading = { scope, only, after: from, now: to, maxPoints: POINTS_MAX }
  const found = await queries.answer(client, (store, pause, signal) =>
    readSeries(store, query, { ...reading, pause, signal }),
  )
  const condition = conditionOf({ ...rule, threshold }, query.period)
  const { series, changes } = evaluateAllSeries(condition, [], found, from, to)
  const points = new Map(found.map((one) => [one.key, one]))
  const answers = series.map(({ key, fields, state, value }) => ({
    fields,
    state,
    value,
    firings: firingsOf(changes, key),
    key,
  }))
  // Series with the most firings come first.
  const sorted = answers.toSorted((one, other) => other.firings.length - one.firings.length)
  return {
    units: query.units,
    time_from: iso(from),
    time_to: iso(to),
    firings: changes.filter(({ change }) => change.kind === 'fired').length,
    series: sorted.map(({ key, ...answer }, index) => {
      const its = points.get(key)
      const charted = its && index < TRIAL_SERIES_MAX
      return { ...answer, points: charted ? chartOf(its, rule.comparison !== 'below') : null }
    }),
  }
}

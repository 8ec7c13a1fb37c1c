/** Evaluates a rule: reads what is new, judges it, and writes down what has become of its series. */
import {
  alertRuleMessages,
  type AlertRuleState,
  RULE_INTERVAL_MS,
  RULE_LOOK_BACK_MAX_MS,
  RULE_POINTS_MAX,
  RULE_REST_FACTOR,
  RULE_SERIES_MAX,
  type Resolution,
  RULE_TIME_MAX_MS,
  SERIES_KEPT_MS,
  timeseriesMessages,
} from '@steading/api/rules'
import { QueryError, TooExpensiveError } from '@steading/oxql'
import { breathe } from '../../../kernel/breathe.ts'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import { type TimeSeriesStore, TimeSeriesUnavailable } from '../../../kernel/ports/time-series.ts'
import { writingIn } from '../../../kernel/work.ts'
import { kindOfRule } from './delete.ts'
import { forgetSeries, noteChanges, type SeriesChange } from './firings.ts'
import { type Change, type Condition, judge, newlyWatched, staleAfter } from './judge.ts'
import { type Place, placeOf } from './place.ts'
import { type FoundSeries, planRuleQuery, readSeries } from './rule-query.ts'
import type { AlertRuleStateTable } from './table.ts'
import { iso, type RuleRow, ruleSeries, type SeriesRecord, thresholdOf } from './view.ts'

export interface EvaluationParts {
  database: OpenDatabase
  /** Undefined where no time series are kept. */
  store: TimeSeriesStore | undefined
  clock: () => Date
}

/** What all series of a query that finds none are known by, for rules about missing values. */
const NOTHING = { key: '', fields: {} } as const

/** Milliseconds before the last evaluation whose points may have come late. */
const LATE_MS = 60_000

export const conditionOf = (
  rule: Pick<RuleRow, 'comparison' | 'duration'> & { threshold: number | null },
  period: number,
): Condition => ({
  comparison: rule.comparison,
  threshold: rule.threshold ?? Number.NaN,
  duration: rule.duration * 1000,
  stale: staleAfter(period),
})

/** What was known of the series of a rule. */
interface Known {
  series: SeriesRecord[]
  /** Milliseconds since the epoch; undefined for a rule that was never evaluated. */
  evaluatedTo: number | undefined
}

async function knownOf(db: Db, rule: RuleRow): Promise<Known> {
  const row = await db
    .selectFrom('alert_rule_state')
    .selectAll()
    .where('rule_id', '=', rule.id)
    .executeTakeFirst()
  return {
    series: row ? ruleSeries.read(row.series) : [],
    evaluatedTo: row && Number(row.evaluated_to),
  }
}

/** From when on points are wanted. Milliseconds since the epoch. */
function wantedAfter({ evaluatedTo }: Known, { duration }: Condition, now: number): number {
  const farthest = now - RULE_LOOK_BACK_MAX_MS
  return evaluatedTo === undefined
    ? Math.max(now - duration - LATE_MS, farthest)
    : Math.max(Math.min(evaluatedTo, now) - LATE_MS, farthest)
}

/** What has become of the series of a rule. */
interface Outcome {
  series: SeriesRecord[]
  changes: SeriesChange[]
}

const over = (at: number, resolution: Resolution): Change => ({ kind: 'resolved', at, resolution })

/** Judges what was found, and what was known and is missing now. */
export function judgeAll(
  condition: Condition,
  known: readonly SeriesRecord[],
  found: readonly FoundSeries[],
  watched: number,
  now: number,
): Outcome {
  const before = new Map(known.map((one) => [one.key, one]))
  const points = new Map(found.map((one) => [one.key, one]))
  const missing = condition.comparison === 'no_data' && points.size === 0
  if (missing && before.size === 0)
    before.set(NOTHING.key, { ...NOTHING, ...newlyWatched(watched) })
  const changes: SeriesChange[] = []
  const series: SeriesRecord[] = []
  for (const key of new Set([...before.keys(), ...points.keys()])) {
    const had = before.get(key)
    const { fields } = had ?? points.get(key)!
    // Once there are series, what stood for all of them is over.
    if (key === NOTHING.key && points.size > 0 && !points.has(key)) {
      if (had?.state === 'firing') changes.push({ key, fields, change: over(now, 'passed') })
      continue
    }
    const its = points.get(key) ?? { timestamps: [], values: [] }
    const judged = judge(condition, had, its, now)
    changes.push(...judged.changes.map((change) => ({ key, fields, change })))
    if (!judged.after) continue
    const record = { key, fields, ...judged.after }
    if (key !== NOTHING.key && now - record.seen > SERIES_KEPT_MS) {
      if (record.state === 'firing') {
        changes.push({ key, fields, change: over(now, 'no_data') })
      }
      continue
    }
    series.push(record)
  }
  return withoutSurplus(series, points, changes)
}

/** Series come and go, so the oldest that are gone make room. */
function withoutSurplus(
  series: SeriesRecord[],
  points: ReadonlyMap<string, unknown>,
  changes: SeriesChange[],
): Outcome {
  const surplus = series.length - RULE_SERIES_MAX
  if (surplus <= 0) return { series, changes }
  const gone = series.filter(({ key }) => !points.has(key)).toSorted((a, b) => a.seen - b.seen)
  const dropped = new Set(gone.slice(0, surplus))
  for (const { key, fields, state, seen } of dropped) {
    if (state !== 'firing') continue
    changes.push({ key, fields, change: over(seen, 'no_data') })
  }
  return { series: series.filter((one) => !dropped.has(one)), changes }
}

/** The state of a rule that could be evaluated. */
function stateOf(series: readonly SeriesRecord[]): AlertRuleState {
  const has = (state: SeriesRecord['state']) => series.some((one) => one.state === state)
  if (has('firing')) return 'firing'
  if (has('pending')) return 'pending'
  return has('ok') ? 'ok' : 'no_data'
}

/** Why a rule cannot be evaluated; undefined for a fault of ours. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof QueryError || error instanceof TimeSeriesUnavailable) return error.message
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? alertRuleMessages.tookTooLong
    : undefined
}

interface Failure {
  problem: string
  /** Whether it takes too much work whatever it finds, so that another try would only cost as much. */
  isTooExpensive: boolean
}

async function outcomeOf(
  { store, database }: EvaluationParts,
  rule: RuleRow,
  { scope }: Place,
  now: Date,
): Promise<Outcome | Failure> {
  const signal = AbortSignal.timeout(RULE_TIME_MAX_MS)
  try {
    if (!store) return { problem: timeseriesMessages.noStore, isTooExpensive: false }
    const query = await planRuleQuery(rule.query, scope, now)
    const condition = conditionOf({ ...rule, threshold: thresholdOf(rule) }, query.period)
    const known = await knownOf(database.db, rule)
    const found = await readSeries(store, query, {
      scope,
      after: wantedAfter(known, condition, now.getTime()),
      now: now.getTime(),
      maxPoints: RULE_POINTS_MAX,
      signal,
      async pause() {
        await breathe()
        signal.throwIfAborted()
      },
    })
    const watched = Date.parse(rule.time_watched)
    return judgeAll(condition, known.series, found, watched, now.getTime())
  } catch (error) {
    const problem = problemOf(error)
    if (problem === undefined) throw error
    return { problem, isTooExpensive: error instanceof TooExpensiveError }
  }
}

/** The new values of the rule's row. */
function valuesOf(rule: RuleRow, outcome: Outcome | Failure, now: Date, due: string) {
  const failing = 'problem' in outcome
  const ends = failing && outcome.isTooExpensive
  const state = ends ? 'disabled' : failing ? 'failing' : stateOf(outcome.series)
  const count = (wanted: SeriesRecord['state']) =>
    failing ? 0 : outcome.series.filter((one) => one.state === wanted).length
  return {
    state,
    problem: failing ? outcome.problem : null,
    time_state_updated: state === rule.state ? rule.time_state_updated : now.toISOString(),
    time_due: ends ? null : due,
    revision: Number(rule.revision) + 1,
    // What could not be evaluated stays as it was.
    ...(failing
      ? ends && { enabled: 0 as const, series: 0, firing: 0, pending: 0 }
      : {
          time_evaluated: now.toISOString(),
          series: outcome.series.length,
          firing: count('firing'),
          pending: count('pending'),
        }),
  } as const
}

async function storeSeries(db: Db, rule: RuleRow, { series }: Outcome, now: Date): Promise<void> {
  const values: Omit<AlertRuleStateTable, 'rule_id'> = {
    series: ruleSeries.write(series),
    evaluated_to: now.getTime(),
  }
  await db
    .insertInto('alert_rule_state')
    .values({ rule_id: rule.id, ...values })
    .onConflict((conflict) => conflict.column('rule_id').doUpdateSet(values))
    .execute()
}

/** Milliseconds that pass for this process; never set back. */
const passed = () => performance.now()

/** What a rule has become, before it is written. */
export interface Evaluation {
  rule: RuleRow
  /** Whether there are alerts to be raised. */
  raises: boolean
  write: (tx: Db) => Promise<void>
}

/**
 * Writes what rules have become, in one transaction with the alerts that they raise, so none is
 * raised twice, whatever is killed, and whichever servers evaluate. A rule that has been written to
 * since it was read is left alone.
 */
export async function writeEvaluations(
  database: OpenDatabase,
  evaluations: readonly Evaluation[],
): Promise<void> {
  const write = async (tx: Db) => {
    for (const evaluation of evaluations) await evaluation.write(tx)
  }
  // Raising an alert reads who wants it, which nothing may change meanwhile.
  const raises = evaluations.some((evaluation) => evaluation.raises)
  await (raises ? database.transaction(write) : database.concurrently(write))
}

/** @returns undefined for a rule of a project that is gone */
export async function evaluateRule(
  parts: EvaluationParts,
  rule: RuleRow,
): Promise<Evaluation | undefined> {
  const { database, clock } = parts
  const now = clock()
  const began = passed()
  const place = await placeOf(database.db, rule)
  // The project is deleted, and the rule is removed with it.
  if (!place) return undefined
  const outcome = await outcomeOf(parts, rule, place, now)
  const rest = Math.max(RULE_INTERVAL_MS, (passed() - began) * RULE_REST_FACTOR)
  const values = valuesOf(rule, outcome, now, iso(now.getTime() + rest))
  const changes = 'problem' in outcome ? [] : outcome.changes
  const shown = ['enabled', 'state', 'problem', 'series', 'firing', 'pending'] as const
  const next = { ...rule, ...values }
  const changed = shown.some((column) => next[column] !== rule[column])

  const write = async (tx: Db) => {
    const written = await tx
      .updateTable('alert_rule')
      .set(values)
      .where('id', '=', rule.id)
      .where('revision', '=', rule.revision)
      .returning('id')
      .executeTakeFirst()
    if (!written) return
    const writing = writingIn(tx, now)
    if (!('problem' in outcome)) await storeSeries(tx, rule, outcome, now)
    else if (outcome.isTooExpensive) await forgetSeries(writing, rule, place, 'disabled')
    await noteChanges(writing, rule, place, changes)
    if (!changed && changes.length === 0) return
    const inSilo = place.silo ? { silo_id: place.silo.id, project_id: rule.project_id! } : {}
    await writing.emit(kindOfRule(rule), 'update', { id: rule.id, name: rule.name, ...inSilo })
  }
  // The end of firings raises alerts as well.
  return { rule, raises: changes.length > 0 || values.state === 'disabled', write }
}

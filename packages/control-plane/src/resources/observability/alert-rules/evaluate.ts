/** Evaluates a rule: reads new points, evaluates them, and records the states of its series. */
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
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import { type TimeSeriesStore, TimeSeriesUnavailable } from '../../../kernel/ports/time-series.ts'
import { writingIn } from '../../../kernel/work.ts'
import { noLongerTagged, onlyTagged } from '../timeseries/tagged.ts'
import { kindOfRule } from './delete.ts'
import { forgetSeries, noteChanges, type SeriesChange } from './firings.ts'
import {
  type Change,
  type Condition,
  evaluateSeries,
  initialStatus,
  staleAfter,
} from './evaluate-series.ts'
import { type RuleContext, contextOf } from './context.ts'
import { type FoundSeries, planRuleQuery, readSeries } from './rule-query.ts'
import type { AlertRuleStateTable } from './table.ts'
import { iso, type RuleRow, ruleSeries, type SeriesRecord, thresholdOf } from './wire.ts'

export interface EvaluationParts {
  database: OpenDatabase
  /** Undefined where no time series are stored. */
  store: TimeSeriesStore | undefined
  clock: () => Date
}

/** Placeholder series for a query without results, for rules about missing values. */
const PLACEHOLDER = { key: '', fields: {} } as const

/** How far before the last evaluation points may still arrive late. Milliseconds. */
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

/** The stored states of a rule's series. */
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

/** The time after which points are read. Milliseconds since the epoch. */
function wantedAfter(
  { evaluatedTo }: Pick<Known, 'evaluatedTo'>,
  { duration }: Condition,
  now: number,
): number {
  const farthest = now - RULE_LOOK_BACK_MAX_MS
  return evaluatedTo === undefined
    ? Math.max(now - duration - LATE_MS, farthest)
    : Math.max(Math.min(evaluatedTo, now) - LATE_MS, farthest)
}

/** The new states of a rule's series. */
interface Outcome {
  series: SeriesRecord[]
  changes: SeriesChange[]
}

const resolvedAt = (at: number, resolution: Resolution): Change => ({
  kind: 'resolved',
  at,
  resolution,
})

/** Judges the series found, and known ones that are missing now. */
export function evaluateAllSeries(
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
    before.set(PLACEHOLDER.key, { ...PLACEHOLDER, ...initialStatus(watched) })
  const changes: SeriesChange[] = []
  const series: SeriesRecord[] = []
  for (const key of new Set([...before.keys(), ...points.keys()])) {
    const had = before.get(key)
    const { fields } = had ?? points.get(key)!
    // Resolve the no-data placeholder once there are series.
    if (key === PLACEHOLDER.key && points.size > 0 && !points.has(key)) {
      if (had?.state === 'firing') changes.push({ key, fields, change: resolvedAt(now, 'passed') })
      continue
    }
    const its = points.get(key) ?? { timestamps: [], values: [] }
    const evaluated = evaluateSeries(condition, had, its, now)
    changes.push(...evaluated.changes.map((change) => ({ key, fields, change })))
    if (!evaluated.after) continue
    const record = { key, fields, ...evaluated.after }
    if (key !== PLACEHOLDER.key && now - record.seen > SERIES_KEPT_MS) {
      if (record.state === 'firing') {
        changes.push({ key, fields, change: resolvedAt(now, 'no_data') })
      }
      continue
    }
    series.push(record)
  }
  return withoutSurplus(series, points, changes)
}

/** Drops the oldest missing series above the limit, to make room for new ones. */
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
    changes.push({ key, fields, change: resolvedAt(seen, 'no_data') })
  }
  return { series: series.filter((one) => !dropped.has(one)), changes }
}

/** The state of a rule after a successful evaluation. */
function stateOf(series: readonly SeriesRecord[]): AlertRuleState {
  const has = (state: SeriesRecord['state']) => series.some((one) => one.state === state)
  if (has('firing')) return 'firing'
  if (has('pending')) return 'pending'
  return has('ok') ? 'ok' : 'no_data'
}

/** The reason why a rule cannot be evaluated; undefined for an internal error. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof QueryError || error instanceof TimeSeriesUnavailable) return error.message
  return error instanceof DOMException && error.name === 'TimeoutError'
    ? alertRuleMessages.tookTooLong
    : undefined
}

interface Failure {
  problem: string
  /** Whether it always takes too much work, so that another attempt would cost just as much. */
  isTooExpensive: boolean
}

async function outcomeOf(
  { store, database }: EvaluationParts,
  rule: RuleRow,
  { scope }: RuleContext,
  now: Date,
): Promise<Outcome | Failure> {
  const signal = AbortSignal.timeout(RULE_TIME_MAX_MS)
  try {
    if (!store) return { problem: timeseriesMessages.noStore, isTooExpensive: false }
    const query = await planRuleQuery(rule.query, scope, now)
    const condition = conditionOf({ ...rule, threshold: thresholdOf(rule) }, query.period)
    const { series, ...known } = await knownOf(database.db, rule)
    const found = await readSeries(store, query, {
      scope,
      only: onlyTagged(database.db, rule),
      after: wantedAfter(known, condition, now.getTime()),
      now: now.getTime(),
      maxPoints: RULE_POINTS_MAX,
      signal,
      async pause() {
        await yieldToEventLoop()
        signal.throwIfAborted()
      },
    })
    // The rule is no longer about resources that have lost the tags, so their alerts are over.
    const left = await noLongerTagged(database.db, rule, series)
    const stay = series.filter((one) => !left.includes(one))
    const watched = Date.parse(rule.time_watched)
    const outcome = evaluateAllSeries(condition, stay, found, watched, now.getTime())
    const ended = left
      .filter(({ state }) => state === 'firing')
      .map(({ key, fields }) => ({ key, fields, change: resolvedAt(now.getTime(), 'changed') }))
    return { ...outcome, changes: [...ended, ...outcome.changes] }
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
    // A failed evaluation leaves these values as they were.
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

/** Milliseconds by the monotonic clock of this process. */
const monotonicNow = () => performance.now()

/** The result of evaluating a rule, before it is written. */
export interface Evaluation {
  rule: RuleRow
  /** Whether alerts have to be raised. */
  raises: boolean
  write: (tx: Db) => Promise<void>
}

/**
 * Writes evaluations in one transaction with the alerts they raise. So none is raised twice,
 * whatever is killed, and whichever servers evaluate. A rule written to since it was read is left
 * alone.
 */
export async function writeEvaluations(
  database: OpenDatabase,
  evaluations: readonly Evaluation[],
): Promise<void> {
  const write = async (tx: Db) => {
    for (const evaluation of evaluations) await evaluation.write(tx)
  }
  // Raising an alert reads the subscriptions, which must not change meanwhile.
  const raises = evaluations.some((evaluation) => evaluation.raises)
  await (raises ? database.transaction(write) : database.concurrently(write))
}

/** @returns undefined for a rule of a deleted project */
export async function evaluateRule(
  parts: EvaluationParts,
  rule: RuleRow,
): Promise<Evaluation | undefined> {
  const { database, clock } = parts
  const now = clock()
  const began = monotonicNow()
  const context = await contextOf(database.db, rule)
  // The project is deleted, and the rule is removed with it.
  if (!context) return undefined
  const outcome = await outcomeOf(parts, rule, context, now)
  const rest = Math.max(RULE_INTERVAL_MS, (monotonicNow() - began) * RULE_REST_FACTOR)
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
    else if (outcome.isTooExpensive) await forgetSeries(writing, rule, context, 'disabled')
    await noteChanges(writing, rule, context, changes)
    if (!changed && changes.length === 0) return
    const inSilo = context.silo ? { silo_id: context.silo.id, project_id: rule.project_id! } : {}
    await writing.emit(kindOfRule(rule), 'update', { id: rule.id, name: rule.name, ...inSilo })
  }
  // The end of firings also raises alerts.
  return { rule, raises: changes.length > 0 || values.state === 'disabled', write }
}

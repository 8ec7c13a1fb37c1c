/** The queries of rules: their restrictions, and reading their newest points. */
import { timeseriesByName } from '@steading/api'
import { alertRuleMessages, RULE_SERIES_MAX, valueUnits } from '@steading/api/rules'
import {
  EmptyInputError,
  evaluate,
  type Expression,
  type FieldCondition,
  type FieldValue,
  milliseconds,
  type Operation,
  parse,
  type Query,
  QueryError,
  type Series,
  type SeriesSource,
  type Table,
} from '@steading/oxql'
import { fail } from '../../../kernel/errors.ts'
import type { TimeSeriesStore } from '../../../kernel/ports/time-series.ts'

/** A query that is permitted in a rule. */
export interface RuleQuery {
  query: Query
  /**
   * Units of the values; those of counters include the period. Null if the query covers several
   * metrics with different ones.
   */
  units: string | null
  /** Milliseconds of the longest alignment; 0 without one. */
  period: number
}

const schema = (name: string) => timeseriesByName.get(name)

function* operationsOf({ operations }: Query): Generator<Operation> {
  for (const operation of operations) {
    yield operation
    if (operation.kind === 'group') {
      for (const query of operation.queries) yield* operationsOf(query)
    }
  }
}

function* identifiersOf(expression: Expression): Generator<{ name: string; start: number }> {
  if (expression.kind === 'comparison') {
    yield { name: expression.identifier, start: expression.start }
  } else if (expression.kind === 'not') {
    yield* identifiersOf(expression.operand)
  } else {
    for (const operand of expression.operands) yield* identifiersOf(operand)
  }
}

/** A QueryError with the line and column of a fault, both from 1. */
function problemAt(text: string, offset: number, message: string): QueryError {
  const before = text.slice(0, offset)
  const column = offset - before.lastIndexOf('\n')
  return new QueryError(`Error at ${before.split('\n').length}:${column}: ${message}`)
}

/**
 * @throws QueryError for clauses that a rule cannot have, as it takes all points and sets the
 *   times itself
 */
function requireUnlimited(text: string, query: Query): void {
  for (const operation of operationsOf(query)) {
    if (operation.kind === 'first' || operation.kind === 'last') {
      throw problemAt(text, operation.start, alertRuleMessages.limited(operation.kind))
    }
    if (operation.kind === 'join') {
      throw problemAt(text, operation.start, alertRuleMessages.oneNumber)
    }
    if (operation.kind !== 'filter') continue
    for (const { name, start } of identifiersOf(operation.expression)) {
      if (name === 'timestamp' || name === 'start_time') {
        throw problemAt(text, start, alertRuleMessages.time)
      }
    }
  }
}

/** Values of fields that no series has. */
const blanks = {
  string: '',
  i8: 0,
  u8: 0,
  i16: 0,
  u16: 0,
  i32: 0,
  u32: 0,
  i64: 0,
  u64: 0,
  ip_addr: '::',
  uuid: '00000000-0000-0000-0000-000000000000',
  bool: false,
} as const

/** Two points of an invented series, which reveal the shape of an answer. */
function exampleOf(name: string, scope: readonly FieldCondition[], now: number): Series {
  const { fields, datumType } = schema(name)!
  const given = new Map(scope.map(({ field, value }) => [field, value]))
  const empty = { bins: [0], counts: [0], min: 0, max: 0, sumOfSamples: 0, squaredMean: 0 }
  const datum = datumType.startsWith('histogram') ? empty : 0
  return {
    fields: Object.fromEntries(
      fields.map((field) => [field.name, given.get(field.name) ?? blanks[field.fieldType]]),
    ),
    timestamps: [now - 1000, now],
    startTimes: /^(cumulative|histogram)/.test(datumType) ? [now - 2000, now - 2000] : undefined,
    values: [datum, datum],
  }
}

/** The query without its filters, which might let nothing pass. */
const unfiltered = (query: Query): Query => ({
  ...query,
  operations: query.operations.flatMap((one): Operation[] => {
    if (one.kind === 'filter') return []
    return one.kind === 'group' ? [{ ...one, queries: one.queries.map(unfiltered) }] : [one]
  }),
})

/** @throws QueryError unless the tables have one number for each point */
function requireNumbers(tables: readonly Table[]): void {
  const says = alertRuleMessages
  if (tables.length !== 1) throw new QueryError(says.oneTable)
  if (tables[0]!.columns[0]!.valueType.endsWith('distribution')) throw new QueryError(says.noNumber)
}

/**
 * Parses and plans the query of a rule.
 * @param scope conditions for each series, in addition to the query's
 * @throws QueryError with the position, for a text that is no query, or none permitted in a rule
 */
export async function planRuleQuery(
  text: string,
  scope: readonly FieldCondition[],
  now: Date,
): Promise<RuleQuery> {
  const query = parse(text)
  requireUnlimited(text, query)
  const at = now.getTime()
  // Faults in filters show without any points; others need an example point.
  await evaluate(query, { source: { schema, read: async () => [] }, now: at, scope }).catch(
    unlessEmpty,
  )
  const read = async ({ name }: { name: string }) => [exampleOf(name, scope, at)]
  requireNumbers(await evaluate(unfiltered(query), { source: { schema, read }, now: at, scope }))
  const operations = [...operationsOf(query)]
  const names = operations.flatMap((one) => (one.kind === 'get' ? [one.name] : []))
  const periods = operations.map((one) => (one.kind === 'align' ? milliseconds(one.period) : 0))
  const period = Math.max(0, ...periods)
  const units = new Set(names.map((name) => valueUnits(schema(name)!, period)))
  return {
    query,
    units: units.size === 1 ? [...units][0]! : null,
    period,
  }
}

/**
 * The same for a query sent by a client.
 * @throws ApiError 400
 */
export async function parseRuleQuery(
  ...parameters: Parameters<typeof planRuleQuery>
): Promise<RuleQuery> {
  try {
    return await planRuleQuery(...parameters)
  } catch (error) {
    if (error instanceof QueryError) throw fail.invalidValue('query', error.message)
    throw error
  }
}

/** @throws the error, unless it means that there is nothing to merge */
function unlessEmpty(error: unknown): [] {
  if (error instanceof EmptyInputError) return []
  throw error
}

/** The query restricted to points at or after a moment. */
function since(query: Query, from: number): Query {
  const { start, end } = query
  const value = { kind: 'absolute', milliseconds: from } as const
  const literal = { kind: 'timestamp', value } as const
  const expression = {
    kind: 'comparison',
    identifier: 'timestamp',
    comparison: '>=',
    literal,
    start,
    end,
  } as const
  return {
    ...query,
    operations: query.operations.flatMap((one): Operation[] => {
      if (one.kind === 'get') return [one, { kind: 'filter', expression, start, end }]
      if (one.kind !== 'group') return [one]
      return [{ ...one, queries: one.queries.map((its) => since(its, from)) }]
    }),
  }
}

/** A series that a query found. */
export interface FoundSeries {
  key: string
  fields: Record<string, FieldValue>
  timestamps: Float64Array
  values: Float64Array
}

/** A key that is equal for the same values of fields. */
const keyOf = (fields: Record<string, FieldValue>): string =>
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))

export interface Reading {
  scope: readonly FieldCondition[]
  /** Leaves out series that the rule is not about. */
  only: (series: Series[]) => Promise<Series[]>
  /** Milliseconds since the epoch; only later points are read. */
  after: number
  now: number
  maxPoints: number
  /** Yields to other work. */
  pause: () => Promise<void>
  /** Ends the reading with its reason. */
  signal: AbortSignal
}

/**
 * Milliseconds before the wanted points at which reading starts, as differences need earlier
 * points.
 */
const MARGIN_MS = 2 * 60_000

/**
 * Reads the series of a rule.
 * @throws QueryError if the query cannot be answered, or has too many series
 * @throws TimeSeriesUnavailable
 */
export async function readSeries(
  store: TimeSeriesStore,
  { query, period }: RuleQuery,
  { scope, only, after, now, maxPoints, pause, signal }: Reading,
): Promise<FoundSeries[]> {
  const source: SeriesSource = {
    schema,
    read: async (selection, most) => only(await store.read(selection, most, signal)),
  }
  const from = Math.floor(after - 2 * period - MARGIN_MS)
  const options = { source, now, scope, maxPoints, pause }
  const tables = await evaluate(since(query, from), options).catch(unlessEmpty)
  if (tables.length === 0) return []
  requireNumbers(tables)
  const { timeseries, columns } = tables[0]!
  if (timeseries.length > RULE_SERIES_MAX) throw new QueryError(alertRuleMessages.tooManySeries)
  // The first difference of a counter counts since it began.
  const first = columns[0]!.metricType === 'delta' ? 1 : 0
  return timeseries.flatMap(({ fields, points }) => {
    let begin = first
    let end = points.timestamps.length
    while (begin < end && points.timestamps[begin]! <= after) begin++
    // Points from before the clock was set back.
    while (end > begin && points.timestamps[end - 1]! > now) end--
    if (begin >= end) return []
    return {
      key: keyOf(fields),
      fields,
      timestamps: points.timestamps.subarray(begin, end),
      values: (points.values[0] as Float64Array).subarray(begin, end),
    }
  })
}

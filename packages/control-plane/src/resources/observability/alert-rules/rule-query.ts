/** The queries of rules: what they must be like, and how their newest points are read. */
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

/** A query that a rule can have. */
export interface RuleQuery {
  query: Query
  /** Of the values, those of counters with the time they count; null if the query is about several metrics with different ones. */
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

/** Says where in the query something is wrong, both from 1. */
function problemAt(text: string, offset: number, message: string): QueryError {
  const before = text.slice(0, offset)
  const column = offset - before.lastIndexOf('\n')
  return new QueryError(`Error at ${before.split('\n').length}:${column}: ${message}`)
}

/** @throws QueryError for what a rule cannot have, as it takes all points and the times by itself */
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

/** Two points of a series that is not there, by which the shape of an answer shows. */
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

/** The query without its filters, through which nothing may pass. */
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
 * Reads and plans the query of a rule.
 * @param scope what each series has to meet, whatever the query says
 * @throws QueryError for a text that is no query, or that no rule can have, with the place
 */
export async function planRuleQuery(
  text: string,
  scope: readonly FieldCondition[],
  now: Date,
): Promise<RuleQuery> {
  const query = parse(text)
  requireUnlimited(text, query)
  const at = now.getTime()
  // Mistakes in filters show without any points; others need an example point.
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
 * The same for a query that a client has sent.
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

/** @throws the error, unless it says that there is nothing to merge */
function unlessEmpty(error: unknown): [] {
  if (error instanceof EmptyInputError) return []
  throw error
}

/** The query about the points that are not before a moment. */
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

/** The same for the same values of fields. */
const keyOf = (fields: Record<string, FieldValue>): string =>
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))

export interface Reading {
  scope: readonly FieldCondition[]
  /** Milliseconds since the epoch: points are wanted that are later. */
  after: number
  now: number
  maxPoints: number
  /** Gives other work a turn. */
  pause: () => Promise<void>
  /** Ends the reading by its reason. */
  signal: AbortSignal
}

/** Milliseconds before the wanted points from which on points are read, as differences need some. */
const MARGIN_MS = 2 * 60_000

/**
 * Reads what a rule is about.
 * @throws QueryError if the query cannot be answered, or has too many series
 * @throws TimeSeriesUnavailable
 */
export async function readSeries(
  store: TimeSeriesStore,
  { query, period }: RuleQuery,
  { scope, after, now, maxPoints, pause, signal }: Reading,
): Promise<FoundSeries[]> {
  const source: SeriesSource = {
    schema,
    read: (selection, most) => store.read(selection, most, signal),
  }
  const from = Math.floor(after - 2 * period - MARGIN_MS)
  const options = { source, now, scope, maxPoints, pause }
  const tables = await evaluate(since(query, from), options).catch(unlessEmpty)
  if (tables.length === 0) return []
  requireNumbers(tables)
  const { timeseries, columns } = tables[0]!
  if (timeseries.length > RULE_SERIES_MAX) throw new QueryError(alertRuleMessages.tooManySeries)
  // The first difference of a counter is what it has counted since it began.
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

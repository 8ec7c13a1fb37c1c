/** Adds a time range to a query. */
import {
  type Expression,
  milliseconds,
  type Operation,
  parse,
  type Query,
} from '@steading/oxql/syntax'
import { syntaxProblem } from './problem.ts'
import type { Span } from '../../ui/charts/zoom.ts'

export type TimedQuery = {
  /** The query to send. */
  query: string
  /** False if the query specifies its own time. */
  isTimed: boolean
}

const saysTime = (expression: Expression): boolean => {
  switch (expression.kind) {
    case 'comparison':
      return expression.identifier === 'timestamp'
    case 'not':
      return saysTime(expression.operand)
    default:
      return expression.operands.some(saysTime)
  }
}

function* operationsOf({ operations }: Query): Generator<Operation> {
  for (const operation of operations) {
    yield operation
    if (operation.kind === 'group')
      for (const query of operation.queries) yield* operationsOf(query)
  }
}

/**
 * Longest alignment of a query in milliseconds; 0 without one, or while the text is not a
 * query.
 */
export function longestPeriod(text: string): number {
  if (syntaxProblem(text)) return 0
  const periods = [...operationsOf(parse(text))].map((one) =>
    one.kind === 'align' ? milliseconds(one.period) : 0,
  )
  return Math.max(0, ...periods)
}

const momentOf = (time: number) => `@${new Date(time).toISOString().slice(0, -1)}`

/** Alignment windows to read before the range begins. */
const LEAD = 2

/**
 * Adds the range to a query as a filter behind each `get`, unless the query has a condition on
 * `timestamp`. An aligned query begins two windows early, because the first difference of a
 * counter includes everything counted before; `withinRange` drops the early points.
 *
 * @param text a query without syntax errors
 * @throws ParseError
 */
export function timedQuery(text: string, { from, to }: Span): TimedQuery {
  const operations = [...operationsOf(parse(text))]
  const says = operations.some((one) => one.kind === 'filter' && saysTime(one.expression))
  if (says) return { query: text, isTimed: false }
  // A query for the first points must find them in the range.
  const countsFromStart = operations.some(({ kind }) => kind === 'first')
  const windows = operations.flatMap((one) =>
    one.kind === 'align' ? [milliseconds(one.period)] : [],
  )
  const lead = countsFromStart ? 0 : LEAD * Math.max(0, ...windows)
  const start = Math.max(0, from - lead)
  const filter = ` | filter timestamp >= ${momentOf(start)} && timestamp < ${momentOf(to)}`
  let query = text
  for (const { end } of operations.filter(({ kind }) => kind === 'get').toReversed()) {
    query = query.slice(0, end) + filter + query.slice(end)
  }
  return { query, isTimed: true }
}

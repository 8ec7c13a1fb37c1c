/** Conversion between text and the queries of the query builder. */
import {
  type Condition,
  type Expression,
  type Literal,
  type Operation,
  parse,
  print,
  printLiteral,
  QueryError,
} from '@steading/oxql/syntax'
import type { Schema } from './schemas.ts'

export type Comparison = Condition['comparison']
type Align = Extract<Operation, { kind: 'align' }>
type GroupBy = Extract<Operation, { kind: 'group_by' }>

export type BuiltCondition = {
  identifier: string
  comparison: Comparison
  /** Undefined for an invalid value, whose condition is omitted. */
  literal: Literal | undefined
  /** Text in the field. */
  entered: string
}

/** `get`, then at most one of each, in this order: filter, align, group_by, first or last. */
export type BuiltQuery = {
  metric: string
  conditions: readonly BuiltCondition[]
  period?: Align['period']
  groupBy?: Pick<GroupBy, 'fields' | 'reducer'>
  limit?: { kind: 'first' | 'last'; count: number }
}

/** Reason why the builder cannot show a query, as the end of a sentence. */
export type NotBuilt = { reason: string }

class CannotBuild extends Error {}

function conditionsOf(expression: Expression): BuiltCondition[] {
  switch (expression.kind) {
    case 'comparison': {
      const { identifier, comparison, literal } = expression
      return [{ identifier, comparison, literal, entered: enteredOf(literal) }]
    }
    case 'and':
      return expression.operands.flatMap(conditionsOf)
    default:
      throw new CannotBuild(`conditions with ${{ or: '||', xor: '^', not: '!' }[expression.kind]}`)
  }
}

/** Text of a literal in its field. */
export const enteredOf = (literal: Literal): string =>
  literal.kind === 'string' || literal.kind === 'uuid' || literal.kind === 'ip'
    ? literal.value
    : printLiteral(literal)

const order = ['get', 'filter', 'align', 'group_by', 'limit'] as const
const placeOf = (kind: Operation['kind']) =>
  order.indexOf(kind === 'first' || kind === 'last' ? 'limit' : (kind as 'get'))

function build(operations: readonly Operation[]): BuiltQuery {
  const query: { -readonly [K in keyof BuiltQuery]: BuiltQuery[K] } = { metric: '', conditions: [] }
  let last = -1
  for (const operation of operations) {
    if (operation.kind === 'group') throw new CannotBuild('groups of queries')
    if (operation.kind === 'join') throw new CannotBuild('join')
    const place = placeOf(operation.kind)
    const again = place === last && operation.kind !== 'filter'
    if (place < last || again) throw new CannotBuild(`${operation.kind} at this place`)
    last = place
    switch (operation.kind) {
      case 'get':
        query.metric = operation.name
        break
      case 'filter':
        query.conditions = [...query.conditions, ...conditionsOf(operation.expression)]
        break
      case 'align':
        if (operation.method !== 'mean_within') throw new CannotBuild('interpolate')
        query.period = operation.period
        break
      case 'group_by':
        query.groupBy = { fields: operation.fields, reducer: operation.reducer }
        break
      default:
        query.limit = { kind: operation.kind, count: operation.count }
    }
  }
  return query
}

/** @returns the builder's form of the query, or the reason why there is none */
export function readBuilt(text: string): BuiltQuery | NotBuilt {
  if (text.trim() === '') return { metric: '', conditions: [] }
  try {
    return build(parse(text).operations)
  } catch (error) {
    if (error instanceof CannotBuild) return { reason: `the builder cannot show ${error.message}` }
    if (error instanceof QueryError) return { reason: 'the text is not a query yet' }
    throw error
  }
}

const place = { start: 0, end: 0 }

/** One operation per line. Empty without a metric. */
export function printBuilt({ metric, conditions, period, groupBy, limit }: BuiltQuery): string {
  if (!metric) return ''
  const complete = conditions.flatMap(({ identifier, comparison, literal }) =>
    literal ? [{ ...place, kind: 'comparison' as const, identifier, comparison, literal }] : [],
  )
  const [first, ...others] = complete
  const expression: Expression | undefined =
    first && (others.length > 0 ? { ...place, kind: 'and', operands: complete } : first)
  const operations: Operation[] = [
    { ...place, kind: 'get', name: metric },
    ...(expression ? [{ ...place, kind: 'filter' as const, expression }] : []),
    ...(period
      ? [{ ...place, kind: 'align' as const, method: 'mean_within' as const, period }]
      : []),
    ...(groupBy
      ? [{ ...place, kind: 'group_by' as const, ...groupBy, fields: [...groupBy.fields] }]
      : []),
    ...(limit ? [{ ...place, ...limit }] : []),
  ]
  return print({ ...place, operations }, '\n| ')
}

/** Parses a text as a literal of the language. */
function parsedLiteral(text: string): Literal | undefined {
  try {
    const [, filter, ...others] = parse(`get a:b | filter c == ${text}`).operations
    if (others.length > 0) return undefined
    const read = filter?.kind === 'filter' ? filter.expression : undefined
    return read?.kind === 'comparison' ? read.literal : undefined
  } catch {
    return undefined
  }
}

type FieldType = Schema['fieldSchema'][number]['fieldType']

/**
 * Parses a field's value, entered without the quotes of the query language.
 * @param type of the field; undefined for `timestamp`, `datum` and unknown fields
 * @returns undefined if the value does not fit the type
 */
export function literalOf(
  entered: string,
  comparison: Comparison,
  type: FieldType | undefined,
): Literal | undefined {
  if (entered === '') return undefined
  if (comparison === '~=' || type === 'string') return { kind: 'string', value: entered }
  switch (type) {
    case undefined:
      return parsedLiteral(entered) ?? { kind: 'string', value: entered }
    case 'uuid':
    case 'ip_addr': {
      const literal = parsedLiteral(`"${entered.replaceAll('"', '')}"`)
      return literal?.kind === (type === 'uuid' ? 'uuid' : 'ip') ? literal : undefined
    }
    case 'bool': {
      const literal = parsedLiteral(entered)
      return literal?.kind === 'boolean' ? literal : undefined
    }
    default: {
      const literal = parsedLiteral(entered)
      return literal?.kind === 'integer' ? literal : undefined
    }
  }
}

/** Whether a metric's data supports alignment. */
export const canBeAligned = ({ datumType }: Pick<Schema, 'datumType'>): boolean =>
  !/histogram|^bool$|^string$|bytes/.test(datumType)

/**
 * Plans the reads of a query. The filters directly after a `get` limit the points that are read;
 * conditions on fields do so from later filters as well, until an operation merges timeseries.
 * Selections may contain more than requested, because the filters are applied exactly afterwards.
 */
import type {
  FieldCondition,
  FieldType,
  FieldValue,
  Selection,
  SeriesSource,
  TimeseriesSchema,
} from '../model.ts'
import { QueryError } from '../query-error.ts'
import type { Condition, Expression, Operation, Query } from '../syntax/ast.ts'
import { fieldOperand, timeOperand } from './operands.ts'
import { bind, type Bound, checkIdentifiers, possibleTimes } from './logic.ts'
import { aligned, type Column, fieldTypesOf, isCumulative, valueTypes } from './table.ts'
import type { Work } from './work.ts'

export type Read = {
  schema: TimeseriesSchema
  fieldTypes: Map<string, FieldType>
  columns: Column[]
  /** Conditions on points. */
  filter?: Bound
  /** Conditions on every series, whatever the query. */
  scope: readonly FieldCondition[]
  /** No series is in two of them. */
  selections: Selection[]
}

/** Operations, and the sources of their tables. */
export type Plan = { from: Read | Plan[]; operations: Operation[] }

/** All inputs of planning besides the query. */
export type Circumstances = {
  source: Pick<SeriesSource, 'schema'>
  now: number
  scope: readonly FieldCondition[]
  work: Work
}

type Conditions = FieldCondition[]

/** More selections are merged into one. */
const SELECTIONS_MAX = 32

const opposite = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
} as const

/** The condition in a form for stores, if they support it. */
function storable(
  { identifier, comparison, literal }: Condition,
  type: FieldType | undefined,
  negated: boolean,
): FieldCondition | undefined {
  if (!type) return undefined
  if (comparison === '~=') {
    const isString = literal.kind === 'string' && type === 'string' && !negated
    return isString ? { field: identifier, comparison, value: literal.value } : undefined
  }
  // Text of addresses does not sort like addresses.
  const isEqual = comparison === '==' || comparison === '!='
  if (type === 'ip_addr' && !isEqual) return undefined
  const value = fieldOperand(type, comparison, literal)
  if (typeof value === 'bigint') return undefined
  return { field: identifier, comparison: negated ? opposite[comparison] : comparison, value }
}

const everything: Conditions[] = [[]]

/**
 * Alternatives, each a list of field conditions that must all be met. All series that pass the
 * expression meet one of the alternatives.
 */
function alternatives(
  expression: Expression,
  types: ReadonlyMap<string, FieldType>,
  negated = false,
): Conditions[] {
  switch (expression.kind) {
    case 'comparison': {
      const { identifier } = expression
      const condition = storable(expression, types.get(identifier), negated)
      return condition ? [[condition]] : everything
    }
    case 'not':
      return alternatives(expression.operand, types, !negated)
    case 'xor':
      return everything
    default: {
      const operands = expression.operands.map((one) => alternatives(one, types, negated))
      return (expression.kind === 'or') === negated ? allOf(operands) : anyOf(operands)
    }
  }
}

function anyOf(operands: readonly Conditions[][]): Conditions[] {
  const found = operands.flat()
  return found.length > SELECTIONS_MAX ? [shared(found)] : found
}

/** Fewest alternatives first; the filter handles the ones that would be too many. */
const allOf = (operands: readonly Conditions[][]): Conditions[] =>
  operands
    .toSorted((a, b) => a.length - b.length)
    .reduce(
      (found, more) =>
        found.length * more.length > SELECTIONS_MAX
          ? found
          : found.flatMap((one) => more.map((other) => [...one, ...other])),
      everything,
    )

const same = (a: FieldCondition, b: FieldCondition): boolean =>
  a.field === b.field && a.comparison === b.comparison && a.value === b.value

const shared = ([first, ...others]: readonly Conditions[]): Conditions =>
  first!.filter((one) => others.every((other) => other.some((more) => same(one, more))))

function valuesOf(conditions: Conditions): Map<string, FieldValue> {
  const equal = conditions.filter(({ comparison }) => comparison === '==')
  return new Map(equal.map(({ field, value }) => [field, value]))
}

/** Whether no series meets two of the alternatives, since a field has one value. */
function areApart(found: readonly Conditions[]): boolean {
  const known = found.map(valuesOf)
  return known.every((one, index) =>
    known
      .slice(index + 1)
      .every((other) =>
        [...one].some(([field, value]) => other.has(field) && other.get(field) !== value),
      ),
  )
}

/** Distinct alternatives such that no series meets two of them. */
function apart(found: readonly Conditions[]): Conditions[] {
  const unique = found.map((conditions) =>
    conditions.filter((one, index) => conditions.findIndex((other) => same(one, other)) === index),
  )
  const distinct = [...new Map(unique.map((one) => [JSON.stringify(one), one])).values()]
  return distinct.length === 1 || areApart(distinct) ? distinct : [shared(distinct)]
}

const all = (expressions: readonly Expression[]): Expression | undefined =>
  expressions.length < 2
    ? expressions[0]
    : { kind: 'and', start: 0, end: 0, operands: [...expressions] }

const filtersOf = (operations: readonly Operation[]): Expression[] =>
  operations.flatMap((one) => (one.kind === 'filter' ? [one.expression] : []))

/**
 * The filters before timeseries are merged, up to one that is invalid: that is an error only if it
 * receives any timeseries.
 */
function sifting(
  operations: readonly Operation[],
  shape: Pick<Read, 'fieldTypes' | 'columns'>,
  { now, work }: Circumstances,
): Expression[] {
  const found: Expression[] = []
  let { columns } = shape
  for (const one of operations) {
    if (one.kind === 'group_by' || one.kind === 'join') break
    if (one.kind === 'align') columns = [aligned]
    if (one.kind !== 'filter') continue
    if (!fits(one.expression, { ...shape, columns }, now, work)) break
    found.push(one.expression)
  }
  return found
}

function fits(...parameters: Parameters<typeof bind>): boolean {
  try {
    bind(...parameters)
    return true
  } catch (error) {
    if (error instanceof QueryError) return false
    throw error
  }
}

function planRead(name: string, rest: readonly Operation[], circumstances: Circumstances): Plan {
  const { source, now, scope, work } = circumstances
  const schema = source.schema(name)
  if (!schema) throw new QueryError(`Timeseries not found for: ${name}`)
  const fieldTypes = fieldTypesOf(schema)
  checkIdentifiers(
    scope.map(({ field }) => field),
    fieldTypes,
  )
  const columns: Column[] = [
    {
      metricType: isCumulative(schema.datumType) ? 'delta' : 'gauge',
      valueType: valueTypes[schema.datumType],
    },
  ]
  const behind = rest.findIndex(({ kind }) => kind !== 'filter')
  const leading = behind < 0 ? rest.length : behind
  const expression = all(filtersOf(rest.slice(0, leading)))
  const filter = expression && bind(expression, { fieldTypes, columns }, now, work)
  const sifted = all(sifting(rest, { fieldTypes, columns }, circumstances))
  const found = sifted ? apart(alternatives(sifted, fieldTypes)) : everything
  for (const condition of found.flat()) {
    const { comparison, value } = condition
    if (comparison === '~=') condition.matches = work.regularExpression(String(value))
  }
  const times = filter ? possibleTimes(filter) : [-Infinity, Infinity]
  const range = bounds(times[0], times.at(-1))
  const selections = range
    ? found.map((where) => ({ name, where: [...scope, ...where], ...range }))
    : []
  return {
    from: { schema, fieldTypes, columns, filter, scope, selections },
    operations: rest.slice(leading),
  }
}

/** In whole milliseconds, which all stores support. */
function bounds(from: number | undefined, to: number | undefined) {
  if (from === undefined || to === undefined) return undefined
  return {
    from: Number.isFinite(from) ? Math.floor(from) : undefined,
    to: Number.isFinite(to) ? Math.ceil(to) : undefined,
  }
}

/**
 * @param after filters directly after the group of the query, which count as if they were at the
 * end of each of its queries
 */
export function plan(
  { operations }: Query,
  circumstances: Circumstances,
  after: readonly Operation[] = [],
): Plan {
  const [first, ...own] = operations as [Operation, ...Operation[]]
  const rest = [...own, ...after]
  if (first.kind === 'get') return planRead(first.name, rest, circumstances)
  if (first.kind !== 'group') throw new Error('a query begins with get or a group')
  const behind = rest.findIndex(({ kind }) => kind !== 'filter')
  const leading = behind < 0 ? rest.length : behind
  const filters = rest.slice(0, leading)
  return {
    from: first.queries.map((query) => plan(query, circumstances, filters)),
    operations: rest.slice(leading),
  }
}

/** Upper bounds on timestamps. */
function* upperBounds(expression: Expression, now: number, turned = false): Generator<number> {
  switch (expression.kind) {
    case 'comparison': {
      const { identifier, comparison, literal } = expression
      const uppers = turned ? ['>', '>=', '!='] : ['<', '<=', '==']
      if (identifier === 'timestamp' && uppers.includes(comparison)) {
        yield timeOperand(literal, now)
      }
      return
    }
    case 'not':
      yield* upperBounds(expression.operand, now, !turned)
      return
    default:
      for (const operand of expression.operands) {
        yield* upperBounds(operand, now, turned)
        if (expression.kind === 'xor') yield* upperBounds(operand, now, !turned)
      }
  }
}

function* allUpperBounds({ operations }: Query, now: number): Generator<number> {
  for (const operation of operations) {
    if (operation.kind === 'filter') yield* upperBounds(operation.expression, now)
    if (operation.kind === 'group') {
      for (const query of operation.queries) yield* allUpperBounds(query, now)
    }
  }
}

/** End of the query, to which alignment is relative: its last upper bound, or now. */
export function endOf(query: Query, now: number): number {
  let end = -Infinity
  for (const bound of allUpperBounds(query, now)) end = Math.max(end, bound)
  return end === -Infinity ? now : end
}

/** The logic of a filter, bound to the fields and values of a table. */
import { conditionTest } from '../conditions.ts'
import type { Comparison, FieldType, FieldValue } from '../model.ts'
import { QueryError } from '../query-error.ts'
import type { Condition, Expression } from '../syntax/ast.ts'
import { datumOperand, fieldOperand, timeOperand } from './operands.ts'
import type { Column, Table } from './table.ts'
import { always, both, compared, complement, either, never, type Times } from './times.ts'
import type { Work } from './work.ts'

/** A condition on points. A missing datum never meets it. */
export type PointCondition = {
  kind: 'points'
  on: 'timestamp' | 'start_time' | 'datum'
  comparison: Comparison
  operand: number | bigint
}

/** Remainder of a filter for one timeseries. */
export type Residual =
  | PointCondition
  | { kind: 'constant'; holds: boolean }
  | { kind: 'not'; operand: Residual }
  | { kind: 'or' | 'and' | 'xor'; operands: Residual[] }

type FieldTest = {
  kind: 'field'
  name: string
  test: (value: FieldValue | undefined) => boolean
}
export type Bound =
  | PointCondition
  | FieldTest
  | { kind: 'not'; operand: Bound }
  | { kind: 'or' | 'and' | 'xor'; operands: Bound[] }

export function* conditionsOf(expression: Expression): Generator<Condition> {
  if (expression.kind === 'comparison') yield expression
  else if (expression.kind === 'not') yield* conditionsOf(expression.operand)
  else for (const operand of expression.operands) yield* conditionsOf(operand)
}

type Shape = Pick<Table, 'fieldTypes' | 'columns'>

function pointIdentifiers(columns: readonly Column[]): string[] {
  const identifiers = ['timestamp']
  if (columns.some(({ metricType }) => metricType === 'delta')) identifiers.push('start_time')
  if (columns.length === 1) identifiers.push('datum')
  return identifiers
}

/** @throws QueryError if the names are neither fields nor properties of the table's points */
export function checkIdentifiers(
  names: Iterable<string>,
  fieldTypes: ReadonlyMap<string, FieldType>,
  columns: readonly Column[] = [],
): void {
  const own = pointIdentifiers(columns)
  const unknown = new Set<string>()
  for (const name of names) {
    if (!fieldTypes.has(name) && !own.includes(name)) unknown.add(name)
  }
  if (unknown.size === 0) return
  const quoted = (list: Iterable<string>): string =>
    Array.from(list, (name) => JSON.stringify(name)).join(', ')
  throw new QueryError(
    `The filter expression contains identifiers that are not valid for its input timeseries. Invalid identifiers: [${quoted(unknown)}], timeseries fields: {${quoted(fieldTypes.keys())}}`,
  )
}

/** @throws QueryError if the table has no such identifiers, or a value is not comparable */
export function bind(expression: Expression, table: Shape, now: number, work: Work): Bound {
  const names = Array.from(conditionsOf(expression), ({ identifier }) => identifier)
  checkIdentifiers(names, table.fieldTypes, table.columns)
  return bindChecked(expression, { ...table, now, work })
}

type Context = Shape & { now: number; work: Work }

function bindChecked(expression: Expression, context: Context): Bound {
  switch (expression.kind) {
    case 'comparison':
      return bindCondition(expression, context)
    case 'not':
      return { kind: 'not', operand: bindChecked(expression.operand, context) }
    default: {
      const operands = expression.operands.map((operand) => bindChecked(operand, context))
      return { kind: expression.kind, operands }
    }
  }
}

function bindCondition(
  { identifier, comparison, literal }: Condition,
  { fieldTypes, columns, now, work }: Context,
): Bound {
  // A field takes precedence over a point property with the same name.
  const type = fieldTypes.get(identifier)
  if (type) {
    const value = fieldOperand(type, comparison, literal)
    const test = conditionTest({ comparison, value }, type, (pattern) =>
      work.regularExpression(pattern),
    )
    return { kind: 'field', name: identifier, test }
  }
  const on = identifier as PointCondition['on']
  const operand =
    on === 'datum' ? datumOperand(columns[0]!.valueType, literal) : timeOperand(literal, now)
  return { kind: 'points', on, comparison, operand }
}

const constant = (holds: boolean): Residual => ({ kind: 'constant', holds })

/** Conditions on points that remain of a filter for a timeseries with these fields. */
export function reduce(bound: Bound, fields: Readonly<Record<string, FieldValue>>): Residual {
  switch (bound.kind) {
    case 'points':
      return bound
    case 'field':
      return constant(bound.test(fields[bound.name]))
    case 'not': {
      const operand = reduce(bound.operand, fields)
      return operand.kind === 'constant' ? constant(!operand.holds) : { kind: 'not', operand }
    }
    case 'xor':
      return reduceXor(bound.operands, fields)
    default:
      return reduceList(bound.kind, bound.operands, fields)
  }
}

function reduceList(
  kind: 'or' | 'and',
  operands: readonly Bound[],
  fields: Readonly<Record<string, FieldValue>>,
): Residual {
  const decisive = kind === 'or'
  const open: Residual[] = []
  for (const operand of operands) {
    const reduced = reduce(operand, fields)
    if (reduced.kind !== 'constant') open.push(reduced)
    else if (reduced.holds === decisive) return reduced
  }
  if (open.length === 0) return constant(!decisive)
  return open.length === 1 ? open[0]! : { kind, operands: open }
}

function reduceXor(
  operands: readonly Bound[],
  fields: Readonly<Record<string, FieldValue>>,
): Residual {
  let odd = false
  const open: Residual[] = []
  for (const operand of operands) {
    const reduced = reduce(operand, fields)
    if (reduced.kind !== 'constant') open.push(reduced)
    else if (reduced.holds) odd = !odd
  }
  if (open.length === 0) return constant(odd)
  const rest: Residual = open.length === 1 ? open[0]! : { kind: 'xor', operands: open }
  return odd ? { kind: 'not', operand: rest } : rest
}

/** Times at which the logic can be true, and can be false, whatever the values. */
type Possible = { yes: Times; no: Times }

/** Times at which points can pass. Unknown fields can have any value. */
export const possibleTimes = (logic: Bound | Residual): Times => possible(logic).yes

function possible(logic: Bound | Residual): Possible {
  switch (logic.kind) {
    case 'constant':
      return logic.holds ? { yes: always, no: never } : { yes: never, no: always }
    case 'field':
      return { yes: always, no: always }
    case 'points': {
      if (logic.on !== 'timestamp') return { yes: always, no: always }
      const yes = compared(logic.comparison, Number(logic.operand))
      return { yes, no: complement(yes) }
    }
    case 'not': {
      const { yes, no } = possible(logic.operand)
      return { yes: no, no: yes }
    }
    default:
      return logic.operands.map(possible).reduce(combinations[logic.kind])
  }
}

const combinations = {
  and: (a: Possible, b: Possible): Possible => ({
    yes: both(a.yes, b.yes),
    no: either(a.no, b.no),
  }),
  or: (a: Possible, b: Possible): Possible => ({ yes: either(a.yes, b.yes), no: both(a.no, b.no) }),
  xor: (a: Possible, b: Possible): Possible => ({
    yes: either(both(a.yes, b.no), both(a.no, b.yes)),
    no: either(both(a.yes, b.yes), both(a.no, b.no)),
  }),
}

/** Number of conditions. */
export const sizeOf = (logic: Bound | Residual): number => {
  if ('operands' in logic) return logic.operands.reduce((sum, one) => sum + sizeOf(one), 0)
  return 'operand' in logic && logic.kind === 'not' ? sizeOf(logic.operand) : 1
}

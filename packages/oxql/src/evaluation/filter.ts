/** Filters: conditions on fields drop whole timeseries, all others drop points. */
import { compare } from '../conditions.ts'
import type { Expression } from '../syntax/ast.ts'
import { bind, type Bound, type PointCondition, reduce, type Residual, sizeOf } from './logic.ts'
import {
  lengthOf,
  pick,
  type Points,
  type Table,
  type Timeseries,
  withTimeseries,
} from './table.ts'
import type { Work } from './work.ts'

/** Whether each point passes: 1 or 0. */
function passing(logic: Residual, points: Points): Uint8Array {
  switch (logic.kind) {
    case 'constant':
      return new Uint8Array(lengthOf(points)).fill(Number(logic.holds))
    case 'points':
      return passingCondition(logic, points)
    case 'not': {
      const pass = passing(logic.operand, points)
      for (let at = 0; at < pass.length; at++) pass[at]! ^= 1
      return pass
    }
    default: {
      const [first, ...others] = logic.operands
      const pass = passing(first!, points)
      for (const operand of others) {
        const more = passing(operand, points)
        if (logic.kind === 'and') for (let at = 0; at < pass.length; at++) pass[at]! &= more[at]!
        else if (logic.kind === 'or')
          for (let at = 0; at < pass.length; at++) pass[at]! |= more[at]!
        else for (let at = 0; at < pass.length; at++) pass[at]! ^= more[at]!
      }
      return pass
    }
  }
}

function passingCondition(
  { on, comparison, operand }: PointCondition,
  { timestamps, startTimes, values }: Points,
): Uint8Array {
  const column = on === 'timestamp' ? timestamps : on === 'start_time' ? startTimes! : values[0]!
  const pass = new Uint8Array(timestamps.length)
  const numbers = column as Float64Array
  if (typeof operand === 'number') {
    passingNumbers(comparison, numbers, operand, pass)
    return pass
  }
  for (let at = 0; at < pass.length; at++) {
    const number = numbers[at]!
    pass[at] = Number(!Number.isNaN(number) && compare(comparison, number, operand))
  }
  return pass
}

/** A loop for each comparison, because there are many numbers. NaN never passes. */
function passingNumbers(
  comparison: PointCondition['comparison'],
  numbers: Float64Array,
  operand: number,
  pass: Uint8Array,
): void {
  const { length } = pass
  switch (comparison) {
    case '<':
      for (let at = 0; at < length; at++) pass[at] = numbers[at]! < operand ? 1 : 0
      return
    case '<=':
      for (let at = 0; at < length; at++) pass[at] = numbers[at]! <= operand ? 1 : 0
      return
    case '>':
      for (let at = 0; at < length; at++) pass[at] = numbers[at]! > operand ? 1 : 0
      return
    case '>=':
      for (let at = 0; at < length; at++) pass[at] = numbers[at]! >= operand ? 1 : 0
      return
    case '!=':
      for (let at = 0; at < length; at++) {
        pass[at] = numbers[at]! < operand || numbers[at]! > operand ? 1 : 0
      }
      return
    default:
      for (let at = 0; at < length; at++) pass[at] = Number(numbers[at] === operand)
  }
}

/** Points that pass. */
export function filterPoints(logic: Residual, points: Points, work: Work): Points {
  work.look(lengthOf(points) * sizeOf(logic))
  const pass = passing(logic, points)
  let count = 0
  for (const one of pass) count += one
  if (count === pass.length) return points
  const indexes = new Int32Array(count)
  for (let at = 0, next = 0; at < pass.length; at++) if (pass[at]) indexes[next++] = at
  return pick(points, indexes)
}

/** Applies a filter to a timeseries. */
export function filterTimeseries(bound: Bound, timeseries: Timeseries, work: Work): Timeseries {
  work.look(sizeOf(bound))
  const logic = reduce(bound, timeseries.fields)
  return { ...timeseries, points: filterPoints(logic, timeseries.points, work) }
}

export async function filter(
  expression: Expression,
  table: Table,
  now: number,
  work: Work,
): Promise<Table> {
  if (table.timeseries.length === 0) return table
  const bound = bind(expression, table, now, work)
  const left: Timeseries[] = []
  for (const timeseries of table.timeseries) {
    left.push(filterTimeseries(bound, timeseries, work))
    await work.turn()
  }
  return withTimeseries(table, left)
}

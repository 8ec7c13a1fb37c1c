/** Joins aligned tables: their values become dimensions of one. */
import { EmptyInputError, QueryError } from '../query-error.ts'
import { keyOf, keyText } from './keys.ts'
import { pick, type Points, type Table, type Timeseries, withTimeseries } from './table.ts'
import type { Work } from './work.ts'

function checkTables(tables: readonly Table[]): void {
  if (tables.length < 2) throw new QueryError('Join operations require more than one table')
  if (tables.some(({ timeseries }) => timeseries.length === 0)) {
    throw new EmptyInputError('Input tables for a join operation must not be empty')
  }
  const periods = new Set(tables.map(({ period }) => period))
  if (periods.has(undefined)) {
    throw new QueryError('Input tables for a join operation must be aligned')
  }
  if (periods.size > 1) {
    const found = Array.from(periods, (period) => `${period! / 1000}s`).join(', ')
    throw new QueryError(
      `All tables to a join operator must have the same alignment. Found alignments: ${found}`,
    )
  }
  const types = tables.flatMap(({ columns }) => columns.map(({ metricType }) => metricType))
  if (new Set(types).size > 1) {
    throw new QueryError('Input tables do not all share the same metric types')
  }
}

/** Names, types and values of all fields. */
const identity = ({ fieldTypes }: Table, { fields }: Timeseries): string =>
  `${JSON.stringify([...fieldTypes])} ${keyText(fields, fieldTypes.keys())}`

/** Points of both at their common times. */
function joinPoints(a: Points, b: Points): Points {
  const inA: number[] = []
  const inB: number[] = []
  for (let i = 0, j = 0; i < a.timestamps.length && j < b.timestamps.length;) {
    const [timeA, timeB] = [a.timestamps[i]!, b.timestamps[j]!]
    if (timeA === timeB) {
      inA.push(i)
      inB.push(j)
    }
    if (timeA <= timeB) i++
    if (timeB <= timeA) j++
  }
  const left = pick(a, Int32Array.from(inA))
  return { ...left, values: [...left.values, ...pick(b, Int32Array.from(inB)).values] }
}

export async function join(tables: readonly Table[], work: Work): Promise<Table> {
  checkTables(tables)
  const sides = tables.map(
    (table) => new Map(table.timeseries.map((one) => [identity(table, one), one])),
  )
  // Every table must contain each.
  for (const [from, side] of sides.entries()) {
    for (const [key, timeseries] of side) {
      const without = sides.findIndex((other) => !other.has(key))
      if (without < 0) continue
      throw new QueryError(
        `Join failed, input table ${without} does not contain a timeseries with key ${keyOf(tables[from]!, timeseries)}`,
      )
    }
  }
  const joined: Timeseries[] = []
  const [first, ...others] = sides
  for (const [key, timeseries] of first!) {
    let { points } = timeseries
    for (const [index, other] of others.entries()) {
      const next = other.get(key)!.points
      work.look(points.timestamps.length * (index + 1) + next.timestamps.length)
      points = joinPoints(points, next)
    }
    joined.push({ fields: timeseries.fields, points })
    await work.turn()
  }
  const table = {
    ...tables[0]!,
    name: tables.map(({ name }) => name).join(','),
    columns: tables.flatMap(({ columns }) => columns),
  }
  return withTimeseries(table, joined)
}
